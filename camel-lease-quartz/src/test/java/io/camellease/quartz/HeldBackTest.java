/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;

/** Triggers that are due and that Quartz does not fire: the lease fires for none of them either. */
@Tag("case")
class HeldBackTest {

    private static final String EVERY_SECOND = "* * * * * ?";

    /** Says after its first run that it is to run no more. */
    public static final class Last implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            new Runs.Recorder().execute(context);
            JobExecutionException last = new JobExecutionException("that was the last one");
            last.setUnscheduleFiringTrigger(true);
            throw last;
        }
    }

    /** As {@link Last}, but only of runs that catch up. */
    public static final class LastCatchUp implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            if (context.getTrigger().getKey().getGroup().equals(CatchUpTriggers.GROUP)) {
                new Last().execute(context);
            }
            new Runs.Recorder().execute(context);
        }
    }

    /** Nobody can make one. */
    @DisallowConcurrentExecution
    public static final class Broken implements Job {
        public Broken() {
            throw new IllegalStateException("for the test");
        }

        @Override
        public void execute(JobExecutionContext context) {
            new Runs.Recorder().execute(context);
        }
    }

    private static ClusteredPair pairWith(String test, Class<? extends Job> type) throws Exception {
        ClusteredPair pair = ClusteredPair.of(test, 4);
        pair.a()
                .scheduleJob(
                        JobBuilder.newJob(type)
                                .withIdentity("job")
                                .usingJobData("test", test)
                                .build(),
                        ClusteredPair.everyNow(EVERY_SECOND));
        pair.a().start();
        return pair;
    }

    private static Set<TriggerKey> catchUps(Scheduler scheduler) throws SchedulerException {
        return scheduler.getTriggerKeys(GroupMatcher.triggerGroupEquals(CatchUpTriggers.GROUP));
    }

    @Test
    void aJobThatUnschedulesItsTriggerRunsNoMore() throws Exception {
        try (ClusteredPair pair = pairWith("unscheduled", Last.class)) {
            Waiting.soon().until(() -> !pair.runs().begun().isEmpty());

            Waiting.stays(Duration.ofSeconds(6), () -> pair.runs().begun().size() == 1);
        }
    }

    @Test
    void aJobThatUnschedulesItsTriggerInARunThatCatchesUpRunsNoMore() throws Exception {
        String test = "unscheduled-late";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A")
                .job(LastCatchUp.class, CronScheduleBuilder.cronSchedule("0/3 * * * * ?"))
                .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(4));

            Waiting.soon().until(() -> !a.scheduler.checkExists(new TriggerKey("trigger")));

            int most = runs.begun().size() + 1;
            Waiting.stays(Duration.ofSeconds(5), () -> runs.begun().size() <= most);
            assertThat(catchUps(a.scheduler)).isEmpty();
        }
    }

    /** What the store holds back until then must not grow with the time that it takes. */
    @Test
    void oneSlotIsFiredForWhileAJobThatIsNotToRunTwiceAtATimeRuns() throws Exception {
        try (ClusteredPair pair = pairWith("blocked", Runs.OneAtATime.class)) {
            pair.runs().hold();
            Waiting.soon().until(() -> !catchUps(pair.a()).isEmpty());

            // besides that of the run, if it is one that catches up
            Waiting.stays(Duration.ofSeconds(8), () -> catchUps(pair.a()).size() <= 2);

            int before = pair.runs().begun().size();
            pair.runs().letGo();
            Waiting.soon().until(() -> pair.runs().begun().size() >= before + 8);
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }

    @Test
    void aJobThatCannotBeMadeIsFiredForOnce() throws Exception {
        try (ClusteredPair pair = pairWith("broken", Broken.class)) {
            Waiting.soon()
                    .until(() ->
                            pair.a().getTriggerState(ClusteredPair.TRIGGER) == org.quartz.Trigger.TriggerState.ERROR);

            Waiting.stays(Duration.ofSeconds(8), () -> catchUps(pair.a()).size() <= 1);
            assertThat(pair.a().checkExists(new JobKey("job"))).isTrue();
        }
    }
}
