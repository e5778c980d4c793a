/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** Fires that are not what they seem. */
@Tag("case")
class FireTest {

    private static final String EVERY_SECOND = "* * * * * ?";

    private static void takeAwayFor(String test, Duration time) {
        QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), time);
    }

    /** A misfired trigger fires at the time it is resumed, which is none of its schedule's. */
    @Test
    void c83_aTriggerThatMisfiredRunsTheLatestSlotAndNothingElse() throws Exception {
        String test = "c83-misfire";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A")
                .job(
                        Runs.Recorder.class,
                        CronScheduleBuilder.cronSchedule("0/2 * * * * ?")
                                .withMisfireHandlingInstructionFireAndProceed())
                .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            a.scheduler.pauseTrigger(new TriggerKey("trigger"));
            int before = runs.begun().size();
            Waiting.stays(Duration.ofSeconds(9), () -> runs.begun().size() <= before + 1);

            a.scheduler.resumeTrigger(new TriggerKey("trigger"));

            Waiting.soon().until(() -> runs.begun().size() >= before + 4);
        }
        assertThat(runs.begun())
                .allSatisfy(run -> assertThat(run.slot().getEpochSecond() % 2).isZero());
        assertThat(runs.doubled()).isEmpty();
        // paused for 9 s: of at least 4 missed slots one was run
        assertThat(runs.slots().size()).isLessThan((int)
                (Duration.between(runs.slots().first(), runs.slots().last()).toSeconds() / 2));
    }

    @Test
    void c83_takeoversRunNothingOutsideTheSchedule() throws Exception {
        String test = "c83-takeovers";
        Runs runs = Runs.of(test);
        Instant later = Instant.now().plus(Duration.ofHours(8));
        String daily = later.atZone(java.time.ZoneOffset.systemDefault())
                        .format(java.time.format.DateTimeFormatter.ofPattern("0 m H"))
                + " * * ?";
        try (QuartzNode a = new QuartzNode(test, "A").cron(daily).start();
                QuartzNode b = new QuartzNode(test, "B")
                        .job(
                                Runs.Recorder.class,
                                TriggerBuilder.newTrigger()
                                        .withIdentity("trigger")
                                        .startAt(Date.from(later))
                                        .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever())
                                        .build())) {
            Waiting.soon().until(a::holds);
            b.start();
            for (int takeover = 0; takeover < 5; takeover++) {
                Waiting.soon().until(() -> a.holds() || b.holds());
                QuartzNode holder = a.holds() ? a : b;
                Waiting.soon().until(() -> holder.elector().lease().isPresent());
                holder.elector().giveAway();
                Waiting.soon().until(() -> !holder.holds());
            }
            Waiting.soon().until(() -> a.holds() || b.holds());
        }
        assertThat(runs.begun()).isEmpty();
    }

    /** The trigger and its job are gone when they have fired for the last time, although no holder ran them. */
    @Test
    void c93_aOneShotJobThatFellDueWithoutAHolderIsRunOnce() throws Exception {
        String test = "c93-one-shot";
        Runs runs = Runs.of(test);
        Instant slot = Instant.ofEpochMilli(System.currentTimeMillis() + 10_000);
        try (QuartzNode a = oneShot(test, "A", slot);
                QuartzNode b = oneShot(test, "B", slot)) {
            Waiting.soon().until(() -> a.holds() || b.holds());
            // the first holder notes since when the schedule is owed
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));
            takeAwayFor(test, Duration.between(Instant.now(), slot).plusSeconds(1));
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            Waiting.stays(Duration.ofSeconds(2), () -> runs.begun().size() == 1);
        }
        assertThat(runs.slots()).containsExactly(slot);
    }

    private static QuartzNode oneShot(String test, String name, Instant slot) throws Exception {
        return new QuartzNode(test, name)
                .job(
                        Runs.Recorder.class,
                        TriggerBuilder.newTrigger()
                                .withIdentity("trigger")
                                .startAt(Date.from(slot))
                                .build())
                .start();
    }

    /** Jobs may begin a moment after the grant; that is when this is written. */
    private static void awaitOpen(String test) {
        Waiting.soon()
                .until(() -> QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));
    }

    @Test
    void aJobThatIsTriggeredByHandRunsOnTheHolderOnly() throws Exception {
        String test = "manual";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start();
                QuartzNode b = new QuartzNode(test, "B").cron("0 0 0 1 1 ?")) {
            awaitOpen(test);
            b.start();
            b.scheduler.triggerJob(QuartzNode.job());
            a.scheduler.triggerJob(QuartzNode.job());

            Waiting.soon().until(() -> runs.begun().size() == 1);
            Waiting.stays(Duration.ofSeconds(1), () -> runs.begun().size() == 1);
            assertThat(runs.begunOn("A")).hasSize(1);
        }
    }

    @Test
    void c88_underHandOversEverySlotIsBegunOnce() throws Exception {
        String test = "c88";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all")
                        .cron(EVERY_SECOND)
                        .start();
                QuartzNode b = new QuartzNode(test, "B", "missedFires=all")
                        .cron(EVERY_SECOND)
                        .start()) {
            Instant until = Instant.now().plusSeconds(Long.getLong("lease.test.handover.seconds", 20));
            while (Instant.now().isBefore(until)) {
                int before = runs.begun().size();
                Waiting.soon().until(() -> runs.begun().size() >= before + 2 && (a.holds() || b.holds()));
                (a.holds() ? a : b).elector().giveAway();
            }
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.begun().stream().map(Runs.Run::token).toList()).isSorted();
        assertThat(runs.slots().size())
                .as("slots that were begun of those that fell due")
                .isEqualTo((int) Duration.between(
                                        runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    @Test
    void aTriggerThatIsReplacedAtRunTimeFiresByItsNewSchedule() throws Exception {
        String test = "replaced";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            Waiting.soon().until(a::holds);

            a.scheduler.rescheduleJob(
                    new TriggerKey("trigger"),
                    TriggerBuilder.newTrigger()
                            .withIdentity("trigger")
                            .forJob("job")
                            .withSchedule(CronScheduleBuilder.cronSchedule(EVERY_SECOND))
                            .build());

            Waiting.soon().until(() -> runs.begun().size() >= 2);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** The store would let this grant take the slot that it took last once more. */
    @Test
    void aTriggerThatIsReplacedByItsEqualRunsNoSlotTwice() throws Exception {
        String test = "replaced-by-equal";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron(EVERY_SECOND).start()) {
            for (int round = 1; round <= 3; round++) {
                int least = 2 * round;
                Waiting.soon().until(() -> runs.begun().size() >= least);
                a.scheduler.rescheduleJob(
                        new TriggerKey("trigger"),
                        TriggerBuilder.newTrigger()
                                .withIdentity("trigger")
                                .forJob("job")
                                .withSchedule(CronScheduleBuilder.cronSchedule(EVERY_SECOND))
                                .build());
            }
            Waiting.soon().until(() -> runs.begun().size() >= 8);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** Each call makes a trigger of its own, of which nothing may be kept. */
    @Test
    void runsByHandLeaveNothingInTheRecord() throws Exception {
        String test = "manual-record";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            awaitOpen(test);
            for (int call = 1; call <= 3; call++) {
                int least = call;
                a.scheduler.triggerJob(QuartzNode.job());
                Waiting.soon().until(() -> runs.begun().size() == least);
            }
            assertThat(QuartzNode.store(test).raw(QuartzNode.lease(test))).doesNotContain("MT_");
        }
    }

    /** The next holder must know since when the new times are owed. */
    @Test
    void whatATriggerThatWasReplacedAtRunTimeMissedIsCaughtUpWith() throws Exception {
        String test = "replaced-then-killed";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all")
                        .cron("0 0 0 1 1 ?")
                        .start();
                QuartzNode b = new QuartzNode(test, "B", "missedFires=all").cron(EVERY_SECOND)) {
            Waiting.soon().until(a::holds);
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));
            a.scheduler.rescheduleJob(
                    new TriggerKey("trigger"),
                    TriggerBuilder.newTrigger()
                            .withIdentity("trigger")
                            .forJob("job")
                            .withSchedule(CronScheduleBuilder.cronSchedule(EVERY_SECOND))
                            .build());
            b.start();
            Waiting.soon().until(() -> runs.begunOn("A").size() >= 2);
            a.kill();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 4);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                        runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** What was stored at the grant does not say what was begun under it. */
    @Test
    void aTriggerThatIsRemovedAndComesBackUnderTheSameGrantRunsNoSlotTwice() throws Exception {
        String test = "removed-and-back";
        Runs runs = Runs.of(test);
        try (QuartzNode a =
                new QuartzNode(test, "A", "missedFires=all").cron(EVERY_SECOND).start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 3);
            a.scheduler.unscheduleJob(new TriggerKey("trigger"));
            FireGuard guard = a.jobs().all().iterator().next();
            guard.open(a.elector().lease().orElseThrow());
            a.cron(EVERY_SECOND);
            int before = runs.begun().size();
            Waiting.soon().until(() -> runs.begun().size() >= before + 3);
        }
        assertThat(runs.doubled()).isEmpty();
    }
}
