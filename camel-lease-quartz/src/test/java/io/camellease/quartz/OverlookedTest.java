/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.ListenerManager;
import org.quartz.ScheduleBuilder;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.TriggerListener;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.TriggerListenerSupport;
import org.quartz.simpl.SimpleJobFactory;
import org.quartz.spi.JobFactory;

/** What a scheduler passes over, drops or holds back, and tells nobody of. */
@Tag("case")
class OverlookedTest {

    private static final TriggerKey TRIGGER = new TriggerKey("trigger");
    private static final String MISFIRES_SOON = "org.quartz.jobStore.misfireThreshold=1000";

    private static ScheduleBuilder<?> cron(String expression) {
        return CronScheduleBuilder.cronSchedule(expression).withMisfireHandlingInstructionDoNothing();
    }

    private static boolean isCatchUp(Trigger trigger) {
        return trigger.getKey().getGroup().equals(CatchUpTriggers.GROUP);
    }

    private static void until(Instant time) {
        Waiting.soon().until(() -> Instant.now().isAfter(time));
    }

    private static void awaitError(QuartzNode node) {
        Waiting.soon().until(() -> node.scheduler.getTriggerState(TRIGGER) == Trigger.TriggerState.ERROR);
    }

    /** Waits for some slots without gap between them, the number of which is that of the seconds. */
    private static void assertAllAreRun(Runs runs) {
        int before = runs.begun().size();
        Waiting.soon().until(() -> runs.begun().size() >= before + 4);
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                        runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** Quartz tells no listener that a trigger was reset. */
    @Test
    void aTriggerThatWasInErrorAtTheGrantRunsOnceItIsReset() throws Exception {
        String test = "error-at-grant";
        AtomicBoolean isBroken = new AtomicBoolean(true);
        try (QuartzNode a = new QuartzNode(test, "A").job(Runs.Recorder.class, cron("* * * * * ?"))) {
            a.scheduler.setJobFactory(failingIf(trigger -> isBroken.get()));
            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(3));
            a.start();
            awaitError(a);
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));

            isBroken.set(false);
            a.scheduler.resetTriggerFromErrorState(TRIGGER);

            Waiting.soon().until(() -> Runs.of(test).begun().size() >= 2);
        }
        assertThat(Runs.of(test).doubled()).isEmpty();
    }

    private interface Condition {
        boolean holds(Trigger trigger);
    }

    private static JobFactory failingIf(Condition condition) {
        SimpleJobFactory factory = new SimpleJobFactory();
        return (bundle, scheduler) -> {
            if (condition.holds(bundle.getTrigger())) {
                throw new SchedulerException("for the test");
            }
            return factory.newJob(bundle, scheduler);
        };
    }

    /** How old a slot is counts when Quartz passes over it, and not when its trigger fires for the next time. */
    @Test
    void aSlotThatQuartzPassesOverAfterALongRunIsRunThen() throws Exception {
        String test = "passed-over";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", MISFIRES_SOON, "missedFires=all", "missedFireLimit=8s")
                .job(Runs.OneAtATime.class, cron("0/10 * * * * ?"))) {
            runs.hold();
            a.start();
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            Instant blocked = runs.slots().first().plusSeconds(10);
            until(blocked.plusSeconds(3));

            runs.letGo();

            Waiting.soon().until(() -> runs.slots().contains(blocked));
            assertThat(runs.doubled()).isEmpty();
        } finally {
            runs.letGo();
        }
    }

    private static QuartzNode everySecond(String test) throws SchedulerException {
        return new QuartzNode(test, "A", MISFIRES_SOON, "missedFires=all")
                .job(Runs.Recorder.class, cron("* * * * * ?"));
    }

    private static void pauseForAWhile(QuartzNode node) throws SchedulerException {
        Runs runs = Runs.of(node.test);
        Waiting.soon().until(() -> runs.begun().size() >= 2);
        node.scheduler.pauseJobs(GroupMatcher.jobGroupEquals("DEFAULT"));
        Instant paused = Instant.now();
        until(paused.plusSeconds(4));
    }

    /** Quartz goes on pausing what is added to a group, although the one job was resumed. */
    @Test
    void whatAJobMissedIsRunAlthoughItsGroupIsStillPaused() throws Exception {
        String test = "group-paused";
        try (QuartzNode a = everySecond(test).start()) {
            pauseForAWhile(a);

            a.scheduler.resumeJob(QuartzNode.job());

            assertAllAreRun(Runs.of(test));
        }
    }

    private static void addFirst(QuartzNode node, TriggerListener first) throws SchedulerException {
        ListenerManager manager = node.scheduler.getListenerManager();
        List<TriggerListener> others = List.copyOf(manager.getTriggerListeners());
        others.forEach(other -> manager.removeTriggerListener(other.getName()));
        manager.addTriggerListener(first);
        others.forEach(manager::addTriggerListener);
    }

    /** Throws once, at a fire that catches up. */
    private static final class ThrowsOnce extends TriggerListenerSupport {
        private final AtomicInteger thrown = new AtomicInteger();

        @Override
        public String getName() {
            return "throws once";
        }

        @Override
        public void triggerFired(Trigger trigger, JobExecutionContext context) {
            if (isCatchUp(trigger) && thrown.getAndIncrement() == 0) {
                throw new IllegalStateException("a listener's mistake");
            }
        }
    }

    @Test
    void aCatchUpThatAnotherListenerMakesQuartzDropIsFiredAgain() throws Exception {
        String test = "dropped-by-listener";
        ThrowsOnce listener = new ThrowsOnce();
        try (QuartzNode a = everySecond(test)) {
            addFirst(a, listener);
            a.start();
            pauseForAWhile(a);

            a.scheduler.resumeJobs(GroupMatcher.jobGroupEquals("DEFAULT"));

            assertAllAreRun(Runs.of(test));
            assertThat(listener.thrown).hasValueGreaterThan(1);
            assertLeavesNothing(a);
        }
    }

    @Test
    void aCatchUpWhoseJobCouldNotBeMadeIsFiredAgainOnceTheTriggerIsReset() throws Exception {
        String test = "dropped-by-factory";
        AtomicInteger failures = new AtomicInteger();
        try (QuartzNode a = everySecond(test)) {
            a.scheduler.setJobFactory(failingIf(trigger -> isCatchUp(trigger) && failures.getAndIncrement() == 0));
            a.start();
            pauseForAWhile(a);
            a.scheduler.resumeJobs(GroupMatcher.jobGroupEquals("DEFAULT"));
            awaitError(a);

            a.scheduler.resetTriggerFromErrorState(TRIGGER);

            assertAllAreRun(Runs.of(test));
            assertLeavesNothing(a);
        }
    }

    private static void assertLeavesNothing(QuartzNode node) {
        Waiting.soon().until(() -> node.scheduler
                .getTriggerKeys(GroupMatcher.triggerGroupEquals(CatchUpTriggers.GROUP))
                .isEmpty());
    }

    /** Triggers that are acquired together fire together, some of them before their time. */
    @Test
    void aSlotThatWasFiredForBeforeItsTimeAndBeforeTheGrantIsRun() throws Exception {
        String test = "early";
        Instant slot = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 12);
        try (QuartzNode a = new QuartzNode(
                        test,
                        "A",
                        "org.quartz.scheduler.batchTriggerAcquisitionMaxCount=4",
                        "org.quartz.scheduler.batchTriggerAcquisitionFireAheadTimeWindow=8000",
                        "org.quartz.scheduler.idleWaitTime=30000")
                .job(Runs.Recorder.class, cron(slot.getEpochSecond() % 60 + " * * * * ?"))) {
            a.scheduler.scheduleJob(
                    JobBuilder.newJob(Runs.Recorder.class)
                            .withIdentity(new JobKey("other"))
                            .usingJobData("test", test + "-other")
                            .build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("other")
                            .withSchedule(cron(slot.minusSeconds(7).getEpochSecond() % 60 + " * * * * ?"))
                            .build());
            QuartzNode.store(test)
                    .steal(
                            QuartzNode.lease(test),
                            new HolderId("X"),
                            Duration.between(Instant.now(), slot.minusSeconds(4)));
            a.start();
            Waiting.soon().until(() -> a.scheduler
                    .getTrigger(TRIGGER)
                    .getNextFireTime()
                    .toInstant()
                    .isAfter(slot));
            assertThat(Instant.now()).as("it was fired early").isBefore(slot.minusSeconds(4));

            Waiting.soon().until(() -> !Runs.of(test).begun().isEmpty());
            assertThat(Runs.of(test).slots()).containsExactly(slot);
        }
    }
}
