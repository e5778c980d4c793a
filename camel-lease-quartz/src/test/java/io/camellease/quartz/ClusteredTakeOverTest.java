/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** What a standby makes of triggers in a clustered job store that the holder changed before it died. A is that holder. */
@Tag("case")
class ClusteredTakeOverTest {

    private static final TriggerKey ONCE = new TriggerKey("once");

    /** Why a trigger does not fire when it was to. */
    enum Change {
        CANCELLED {
            @Override
            void of(Scheduler scheduler) throws SchedulerException {
                scheduler.unscheduleJob(ONCE);
            }
        },
        POSTPONED {
            @Override
            void of(Scheduler scheduler) throws SchedulerException {
                scheduler.rescheduleJob(ONCE, once(Instant.now().plus(Duration.ofHours(1))));
            }
        };

        abstract void of(Scheduler scheduler) throws SchedulerException;
    }

    private static Trigger once(Instant slot) {
        return TriggerBuilder.newTrigger()
                .withIdentity(ONCE)
                .startAt(Date.from(slot))
                .build();
    }

    @Test
    void theSlotsOfATriggerThatWasChangedAreCaughtUpWithByItsNewTimes() throws Exception {
        try (ClusteredPair pair = ClusteredPair.of("changed-then-killed", 4)) {
            pair.a().scheduleJob(pair.job("job"), ClusteredPair.everyNow("0 0 0 1 1 ?"));
            pair.a().start();
            Waiting.soon().until(() -> pair.isNoted("trigger"));
            pair.b().start();
            pair.a().rescheduleJob(ClusteredPair.TRIGGER, ClusteredPair.everyNow("* * * * * ?"));
            Waiting.soon().until(() -> pair.runs().begun().size() >= 3);

            pair.killAndHoldUntil(Instant.now().plusSeconds(8));

            Waiting.soon().until(() -> pair.runs().begunOn("B").size() >= 10);
            assertThat(pair.runs().doubled()).isEmpty();
            assertThat(pair.runs().slots().size())
                    .isEqualTo((int) Duration.between(
                                            pair.runs().slots().first(),
                                            pair.runs().slots().last())
                                    .toSeconds()
                            + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void aOneShotJobThatDoesNotFireAnyMoreIsNotTakenForMissed(Change change) throws Exception {
        try (ClusteredPair pair = ClusteredPair.of("once-" + change, 4)) {
            Instant slot = Instant.ofEpochMilli(Instant.now().plusSeconds(9).toEpochMilli());
            pair.a().scheduleJob(pair.job("once"), once(slot));
            pair.a().start();
            Waiting.soon().until(() -> pair.isNoted("once"));
            pair.b().start();
            change.of(pair.a());
            // the standby looks once a second, and must do so before the slot
            Waiting.soon().until(() -> Instant.now().isAfter(slot.minusSeconds(2)));

            pair.killAndHoldUntil(slot.plusSeconds(1));

            Waiting.soon().until(() -> ClusteredPair.holds(pair.b()));
            Waiting.stays(Duration.ofSeconds(3), () -> pair.runs().begun().isEmpty());
        }
    }
}
