/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.spi.OperableTrigger;

/** Both changes of the clocks in Zurich in 2024: a lease changes nothing about when a trigger fires. */
class DaylightSavingTest {

    private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");
    private static final SlotKeys KEYS = SlotKeys.of("trigger");
    private static final Instant SLOT_OF_AUTUMN = Instant.parse("2024-10-27T01:30:00Z");

    private static OperableTrigger trigger(String cron, Instant start) {
        return (OperableTrigger) TriggerBuilder.newTrigger()
                .startAt(Date.from(start))
                .withSchedule(CronScheduleBuilder.cronSchedule(cron).inTimeZone(TimeZone.getTimeZone(ZURICH)))
                .build();
    }

    /** What Quartz fires at, as its scheduler goes from one fire to the next. */
    private static List<Instant> firesWithoutLease(OperableTrigger trigger, Instant until) {
        List<Instant> fires = new ArrayList<>();
        Date next = trigger.computeFirstFireTime(null);
        while (next != null && !next.toInstant().isAfter(until)) {
            fires.add(next.toInstant());
            trigger.triggered(null);
            next = trigger.getNextFireTime();
        }
        return fires;
    }

    @ParameterizedTest
    @CsvSource({
        "0 30 2 * * ?, 2024-03-30T00:00, 2024-04-02T00:00",
        "0 30 2 * * ?, 2024-10-26T00:00, 2024-10-29T00:00",
        "0/15 * * * * ?, 2024-03-31T00:00, 2024-03-31T06:00",
        "0/15 * * * * ?, 2024-10-27T00:00, 2024-10-27T06:00",
        "0 0 * * * ?, 2024-10-26T00:00, 2024-10-28T00:00"
    })
    void c90_firesAtTheSameTimesWithAndWithoutALease(String cron, LocalDateTime from, LocalDateTime to) {
        Instant start = from.atZone(ZURICH).toInstant();
        Instant end = to.atZone(ZURICH).toInstant();
        List<Instant> fires = firesWithoutLease(trigger(cron, start), end);
        Schedule schedule = new Schedule(trigger(cron, start), null, start);

        assertThat(fires).hasSizeGreaterThanOrEqualTo(2).allMatch(schedule::contains);
        assertThat(schedule.between(start.minusMillis(1), end, CatchUp.MOST)).isEqualTo(fires);
        assertThat(schedule.contains(fires.get(1).plusMillis(1))).isFalse();
        assertThat(caughtUpByATakeoverEveryHour(schedule, start, end)).isEqualTo(fires);
    }

    /** Holders that die right after their first look, and of which each catches up with what the one before left. */
    private static List<Instant> caughtUpByATakeoverEveryHour(Schedule schedule, Instant start, Instant end) {
        SlotOptions all = new SlotOptions(MissedFires.ALL, java.time.Duration.ofDays(31), false);
        List<Instant> begun = new ArrayList<>();
        Instant reserved = start.minusMillis(1);
        for (Instant now = start; !now.isAfter(end); now = now.plusSeconds(3600)) {
            Map<String, Instant> stored = Map.of(KEYS.reserved(), reserved, KEYS.since(schedule), start.minusMillis(1));
            List<Instant> missed =
                    CatchUp.atGrant(KEYS, stored, schedule, all, now).missed();
            begun.addAll(missed);
            reserved = missed.isEmpty() ? reserved : missed.get(missed.size() - 1);
        }
        return begun;
    }

    /** Quartz takes the second half past two for the one that is meant. */
    @Test
    void c90_aTakeoverInTheRepeatedHourRunsHalfPastTwoNoSecondTime() {
        Instant start = LocalDateTime.parse("2024-10-01T00:00").atZone(ZURICH).toInstant();
        Schedule schedule = new Schedule(trigger("0 30 2 * * ?", start), null, start);
        Instant dayBefore = SLOT_OF_AUTUMN.minusSeconds(25 * 3600);
        assertThat(schedule.between(dayBefore, SLOT_OF_AUTUMN, 9)).containsExactly(SLOT_OF_AUTUMN);

        for (int minute = -89; minute < 60; minute++) {
            Instant now = SLOT_OF_AUTUMN.plusSeconds(60L * minute);
            assertThat(missed(schedule, start, dayBefore, now))
                    .as("not run yet, taken over at %s", now)
                    .isEqualTo(minute < 0 ? List.of() : List.of(SLOT_OF_AUTUMN));
            assertThat(missed(schedule, start, SLOT_OF_AUTUMN, now))
                    .as("run already, taken over at %s", now)
                    .isEmpty();
        }
    }

    private static List<Instant> missed(Schedule schedule, Instant start, Instant reserved, Instant now) {
        Map<String, Instant> stored = Map.of(KEYS.reserved(), reserved, KEYS.since(schedule), start);
        return CatchUp.atGrant(KEYS, stored, schedule, SlotOptions.DEFAULTS, now)
                .missed();
    }
}
