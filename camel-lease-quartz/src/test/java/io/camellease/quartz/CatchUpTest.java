/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.CalendarIntervalScheduleBuilder;
import org.quartz.CronScheduleBuilder;
import org.quartz.DailyTimeIntervalScheduleBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.ScheduleBuilder;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TimeOfDay;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.calendar.DailyCalendar;

/** Which slots a new holder runs. */
class CatchUpTest {

    private static final SlotKeys KEYS = SlotKeys.of("trigger");
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
    private static final Instant LONG_AGO = NOON.minus(Duration.ofDays(300));

    private final Map<String, Instant> stored = new HashMap<>();
    private SlotOptions options = SlotOptions.DEFAULTS;

    private static Schedule schedule(ScheduleBuilder<?> builder, Instant start) {
        return new Schedule(
                TriggerBuilder.newTrigger()
                        .startAt(Date.from(start))
                        .withSchedule(builder)
                        .build(),
                null,
                start);
    }

    private static Schedule cron(String expression, Instant start) {
        return schedule(CronScheduleBuilder.cronSchedule(expression).inTimeZone(TimeZone.getTimeZone("UTC")), start);
    }

    private CatchUp at(Schedule schedule, Instant now) {
        return CatchUp.atGrant(KEYS, stored, schedule, options, now);
    }

    private void reserved(Schedule schedule, Instant slot) {
        stored.put(KEYS.since(schedule), LONG_AGO);
        stored.put(KEYS.reserved(), slot);
    }

    private static Instant minutes(long fromNoon) {
        return NOON.plus(Duration.ofMinutes(fromNoon));
    }

    @Test
    void nothingWasMissedWhenTheTriggerIsSeenForTheFirstTime() {
        CatchUp first = at(cron("0 * * * * ?", LONG_AGO), NOON);

        assertThat(first.missed()).isEmpty();
        assertThat(first.isNewSchedule()).isTrue();
        assertThat(first.upTo()).isEqualTo(NOON);
    }

    @Test
    void aHolderThatDiedBeforeTheFirstSlotOwesItAllTheSame() {
        Schedule schedule = cron("0 58 23 * * ?", LONG_AGO);
        stored.put(KEYS.since(schedule), NOON);
        Instant slot = Instant.parse("2026-05-04T23:58:00Z");

        assertThat(at(schedule, slot.plusSeconds(10)).missed()).containsExactly(slot);
    }

    @Test
    void theLatestMissedSlotIsRunByDefaultIfItIsNotTooOld() {
        Schedule schedule = cron("0 0 * * * ?", LONG_AGO);
        reserved(schedule, minutes(0));

        assertThat(at(schedule, minutes(185)).missed()).containsExactly(minutes(180));
        assertThat(at(schedule, minutes(59)).missed()).isEmpty();
        options = new SlotOptions(MissedFires.ONCE, Duration.ofMinutes(4), false);
        assertThat(at(schedule, minutes(185)).missed()).isEmpty();
    }

    @Test
    void allAreRunInOrderOrNoneIfSoSet() {
        Schedule schedule = cron("0 0 * * * ?", LONG_AGO);
        reserved(schedule, minutes(0));
        options = new SlotOptions(MissedFires.ALL, Duration.ofHours(2), false);

        assertThat(at(schedule, minutes(180)).missed()).containsExactly(minutes(60), minutes(120), minutes(180));
        options = new SlotOptions(MissedFires.SKIP, Duration.ofHours(2), false);
        assertThat(at(schedule, minutes(180)).missed()).isEmpty();
        assertThat(at(schedule, minutes(180)).dropped()).isEqualTo(3);
    }

    /** A trigger in memory is built when its process starts, which may be after the slot. */
    @Test
    void aSlotBeforeTheStartOfThisProcessWasMissedAsWell() {
        Schedule schedule = cron("0 0 * * * ?", minutes(61));
        reserved(schedule, minutes(0));

        assertThat(at(schedule, minutes(62)).missed()).containsExactly(minutes(60));
    }

    @Test
    void c83_aTriggerThatIsToStartLaterMissedNothingBefore() {
        Schedule schedule = new Schedule(
                TriggerBuilder.newTrigger()
                        .startAt(Date.from(minutes(90)))
                        .withSchedule(CronScheduleBuilder.cronSchedule("0 0 * * * ?"))
                        .build(),
                null,
                minutes(0));
        reserved(schedule, minutes(0));

        assertThat(at(schedule, minutes(95)).missed()).isEmpty();
    }

    @Test
    void c83_theTimesOfANewExpressionWereNotMissedBeforeItWasThere() {
        Schedule daily = cron("0 0 2 * * ?", LONG_AGO);
        reserved(daily, NOON.minus(Duration.ofHours(10)));
        Schedule hourly = cron("0 0 * * * ?", minutes(29));

        CatchUp changed = at(hourly, minutes(30));

        assertThat(changed.missed()).isEmpty();
        assertThat(changed.isNewSchedule()).isTrue();
        stored.put(KEYS.since(hourly), minutes(30));
        assertThat(at(hourly, minutes(70)).missed()).containsExactly(minutes(60));
        assertThat(at(daily, minutes(80)).isNewSchedule())
                .as("back to the old expression")
                .isTrue();
    }

    /** Each process counts the period of a simple trigger from its own start. */
    @Test
    void c83_aSimpleTriggerMissedASlotOnlyAfterAWholePeriod() {
        Schedule other = schedule(
                SimpleScheduleBuilder.simpleSchedule().withIntervalInMinutes(10).repeatForever(), minutes(3));
        reserved(other, minutes(10));

        assertThat(at(other, minutes(14)).missed()).isEmpty();
        assertThat(at(other, minutes(22)).missed()).isEmpty();
        assertThat(at(other, minutes(24)).missed()).containsExactly(minutes(23));
    }

    /** As a simple trigger: without a fixed start each process has times of its own. */
    @ParameterizedTest
    @EnumSource(
            value = IntervalUnit.class,
            names = {"MILLISECOND"},
            mode = EnumSource.Mode.EXCLUDE)
    void c83_aCalendarIntervalTriggerMissedASlotOnlyAfterAWholePeriod(IntervalUnit unit) {
        Schedule own = schedule(
                CalendarIntervalScheduleBuilder.calendarIntervalSchedule().withInterval(2, unit), NOON);
        options = new SlotOptions(MissedFires.ALL, Duration.ofDays(31), false);

        reserved(own, NOON.minusMillis(500));
        assertThat(at(own, NOON.plusMillis(400)).missed()).isEmpty();
        Instant next = own.first(NOON, NOON.plus(Duration.ofDays(900))).orElseThrow();
        reserved(own, NOON);
        assertThat(at(own, next).missed()).contains(next);
    }

    /** Its times do not depend on when it was built. */
    @Test
    void aSlotOfADailyTriggerBeforeTheStartOfThisProcessWasMissedAsWell() {
        Instant start = LocalDateTime.parse("2026-05-04T11:30:00")
                .atZone(TimeZone.getDefault().toZoneId())
                .toInstant();
        Schedule schedule = schedule(
                DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                        .startingDailyAt(TimeOfDay.hourAndMinuteOfDay(9, 0))
                        .endingDailyAt(TimeOfDay.hourAndMinuteOfDay(17, 0))
                        .withIntervalInHours(1),
                start);
        reserved(schedule, start.minus(Duration.ofMinutes(90)));

        assertThat(at(schedule, start.plusSeconds(60)).missed()).containsExactly(start.minus(Duration.ofMinutes(30)));
    }

    @Test
    void aOneShotTriggerThatFiredOnNoHolderWasMissed() {
        Schedule once = schedule(SimpleScheduleBuilder.simpleSchedule().withRepeatCount(0), minutes(5));
        stored.put(KEYS.since(once), minutes(0));

        assertThat(at(once, minutes(6)).missed()).containsExactly(minutes(5));
        stored.put(KEYS.reserved(), minutes(5));
        assertThat(at(once, minutes(6)).missed()).isEmpty();
    }

    @Test
    void timesThatACalendarLeavesOutWereNotMissed() {
        DailyCalendar noLunch = new DailyCalendar("12:30", "13:30");
        noLunch.setTimeZone(TimeZone.getTimeZone("UTC"));
        Schedule schedule = new Schedule(
                TriggerBuilder.newTrigger()
                        .startAt(Date.from(LONG_AGO))
                        .modifiedByCalendar("lunch")
                        .withSchedule(CronScheduleBuilder.cronSchedule("0 0/20 * * * ?")
                                .inTimeZone(TimeZone.getTimeZone("UTC")))
                        .build(),
                noLunch,
                LONG_AGO);
        reserved(schedule, minutes(0));
        options = new SlotOptions(MissedFires.ALL, Duration.ofHours(5), false);

        assertThat(at(schedule, minutes(101)).missed()).containsExactly(minutes(20), minutes(100));
        assertThat(schedule.contains(minutes(40))).isFalse();
    }

    /** Quartz itself skips a second before it looks. */
    @Test
    void theLastSlotOfTheDayOfADailyTriggerIsOneOfItsTimes() {
        Schedule schedule = schedule(
                DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                        .startingDailyAt(TimeOfDay.hourAndMinuteOfDay(9, 0))
                        .endingDailyAt(TimeOfDay.hourAndMinuteOfDay(17, 0))
                        .withIntervalInHours(1),
                LONG_AGO);
        Instant last = LocalDateTime.parse("2026-05-04T17:00:00")
                .atZone(TimeZone.getDefault().toZoneId())
                .toInstant();

        assertThat(schedule.contains(last)).isTrue();
        assertThat(schedule.contains(last.plusSeconds(1))).isFalse();
        assertThat(schedule.between(last.minusMillis(1), last, 9)).containsExactly(last);
        assertThat(schedule.shortlyBefore(last.plusSeconds(4), last.minusMillis(1)))
                .containsExactly(last);
        assertThat(schedule.shortlyBefore(last.plusSeconds(4), last)).isEmpty();
    }

    @Test
    void slotsBetweenTheLowWaterMarkAndTheLastReservedOneAreRunAgainIfSoSet() {
        Schedule schedule = cron("0 * * * * ?", LONG_AGO);
        reserved(schedule, minutes(5));
        stored.put(KEYS.done(), minutes(2));

        assertThat(at(schedule, minutes(5)).recovering()).isEmpty();
        options = new SlotOptions(MissedFires.ONCE, Duration.ofHours(1), true);
        assertThat(at(schedule, minutes(5)).recovering()).containsExactly(minutes(3), minutes(4), minutes(5));
        stored.put(KEYS.done(), minutes(5));
        assertThat(at(schedule, minutes(5)).recovering()).isEmpty();
    }

    /** Each process counts the period of a simple trigger from its own start. */
    @Test
    void slotsOfAnotherProcessAreRunAgainAndNoneOfItsOwn() {
        Schedule own = schedule(
                SimpleScheduleBuilder.simpleSchedule().withIntervalInMinutes(10).repeatForever(), minutes(37));
        reserved(own, minutes(33));
        stored.put(KEYS.done(), minutes(3));
        options = new SlotOptions(MissedFires.ONCE, Duration.ofHours(1), true);

        assertThat(at(own, minutes(34)).recovering()).containsExactly(minutes(13), minutes(23), minutes(33));
        stored.put(KEYS.done(), minutes(23));
        assertThat(at(own, minutes(34)).recovering()).containsExactly(minutes(33));
    }

    @Test
    void theLastReservedSlotIsRunAgainEvenIfTheExpressionChanged() {
        reserved(cron("0 * * * * ?", LONG_AGO), minutes(5));
        stored.put(KEYS.done(), minutes(2));
        options = new SlotOptions(MissedFires.ONCE, Duration.ofHours(1), true);

        assertThat(at(cron("30 * * * * ?", minutes(6)), minutes(7)).recovering())
                .containsExactly(minutes(5));
    }

    @Test
    void nothingIsRunAgainThatBeganBeforeRecoveryWasAskedFor() {
        Schedule schedule = cron("0 * * * * ?", LONG_AGO);
        reserved(schedule, minutes(5));
        options = new SlotOptions(MissedFires.ONCE, Duration.ofHours(1), true);

        CatchUp first = at(schedule, minutes(5));

        assertThat(first.recovering()).isEmpty();
    }

    @Test
    void keysOfDifferentTriggersDiffer() {
        List<SlotKeys> keys = List.of(
                SlotKeys.of(new TriggerKey("c", "a/b")),
                SlotKeys.of(new TriggerKey("b/c", "a")),
                SlotKeys.of(new TriggerKey("c", "a%2Fb")),
                SlotKeys.of(new TriggerKey("x".repeat(300), "a")),
                SlotKeys.of(new TriggerKey("x".repeat(299), "a")),
                SlotKeys.of(new TriggerKey("c ", "a")),
                SlotKeys.of(new TriggerKey("c\n", "a")));

        assertThat(keys).doesNotHaveDuplicates().allSatisfy(key -> assertThat(key.done())
                .hasSizeLessThanOrEqualTo(200));
    }

    @Test
    void optionsThatAreWrongNameThemselvesAndTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MissedFires.parse("camel.lease.missedFires", "twice"))
                .withMessage("camel.lease.missedFires='twice' must be once (run the latest missed slot), all or skip");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SlotOptions(MissedFires.ONCE, Duration.ZERO, false))
                .withMessageContaining("must be 1 ms to 31 days")
                .withMessageContaining("missedFires=skip");
    }
}
