/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseThreads;
import io.camellease.core.LeaseTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Which jobs have leases, and which leases this node wants. */
class SingletonJobsTest {

    private static final int MANY = 10;

    static Scheduler scheduler(String test) throws SchedulerException {
        Properties properties = QuartzNode.properties(test, "A");
        properties.keySet().removeIf(key -> key.toString().startsWith("org.quartz.plugin."));
        return new StdSchedulerFactory(properties).getScheduler();
    }

    private static SingletonJobs jobs(Scheduler scheduler, LeaseClient client, String test) throws SchedulerException {
        return new SingletonJobs(
                scheduler,
                client,
                new SingletonJobs.Options(test, "*", Optional.empty(), SlotOptions.DEFAULTS, false),
                () -> "");
    }

    private static LeaseSettings settings() {
        return LeaseSettings.builder(Duration.ofSeconds(2)).build();
    }

    private static void schedule(Scheduler scheduler, String job) throws SchedulerException {
        scheduler.scheduleJob(
                JobBuilder.newJob(Runs.Recorder.class).withIdentity(job).build(),
                TriggerBuilder.newTrigger()
                        .withSchedule(CronScheduleBuilder.cronSchedule("0 0 0 1 1 ?"))
                        .build());
    }

    /** Jobs of a job store that was filled before are learnt when the scheduler starts, in no order. */
    @Test
    void aJobWhoseLeaseCannotBeNamedDoesNotKeepTheOthersFromRunning() throws Exception {
        String test = "illegal-name";
        Scheduler scheduler = scheduler(test);
        try (LeaseClient client = new LeaseClient(QuartzNode.store(test), HolderId.unique("A"), settings())) {
            for (int job = 0; job < MANY; job++) {
                schedule(scheduler, "job" + job);
                schedule(scheduler, job + "x".repeat(300));
            }

            SingletonJobs jobs = jobs(scheduler, client, test);
            scheduler.start();

            assertThat(jobs.electors()).hasSize(MANY);
            Waiting.soon().until(() -> jobs.electors().stream()
                    .allMatch(elector -> elector.check().isPresent()));
        } finally {
            scheduler.shutdown(true);
        }
    }

    /** It may be triggered by hand, which only the holder runs. */
    @Test
    void aJobThatIsAddedWithoutATriggerHasALeaseFromThenOn() throws Exception {
        String test = "added-durable";
        Scheduler scheduler = scheduler(test);
        try (LeaseClient client = new LeaseClient(QuartzNode.store(test), HolderId.unique("A"), settings())) {
            SingletonJobs jobs = jobs(scheduler, client, test);
            scheduler.start();

            scheduler.addJob(
                    JobBuilder.newJob(Runs.Recorder.class)
                            .withIdentity("job")
                            .storeDurably()
                            .build(),
                    false);

            assertThat(jobs.electors()).hasSize(1);
            Waiting.soon().until(() -> jobs.electors().get(0).check().isPresent());
        } finally {
            scheduler.shutdown(true);
        }
    }

    /** A timer that is a candidate's: it stops whoever starts one until it is let go. */
    private record Halting(LeaseTimer behind, CountDownLatch halted, CountDownLatch go) implements LeaseTimer {
        @Override
        public void execute(Runnable task) {
            behind.execute(task);
            if (Thread.currentThread().getName().equals("adds")) {
                halted.countDown();
                try {
                    boolean unused = go.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public Scheduled schedule(Runnable task, long delayNanos) {
            return behind.schedule(task, delayNanos);
        }

        @Override
        public void close() {
            behind.close();
        }
    }

    @Test
    void aJobThatIsAddedWhileTheSchedulerIsPutOnStandbyMakesItNoCandidate() throws Exception {
        String test = "standby-race";
        LeaseThreads threads = LeaseThreads.system(settings());
        Halting halting = new Halting(threads.timer(), new CountDownLatch(1), new CountDownLatch(1));
        LeaseThreads halted =
                new LeaseThreads(threads.ticker(), halting, threads.renewals(), threads.claims(), threads.events());
        Scheduler scheduler = scheduler(test);
        try (LeaseClient client =
                new LeaseClient(QuartzNode.store(test), HolderId.unique("A"), settings(), halted, () -> "attempt")) {
            SingletonJobs jobs = jobs(scheduler, client, test);
            scheduler.start();
            Thread adds = new Thread(
                    () -> {
                        try {
                            schedule(scheduler, "job");
                        } catch (SchedulerException failed) {
                            throw new IllegalStateException(failed);
                        }
                    },
                    "adds");
            adds.start();
            assertThat(halting.halted().await(20, TimeUnit.SECONDS)).isTrue();

            scheduler.standby();
            halting.go().countDown();
            adds.join(20_000);

            assertThat(jobs.electors()).hasSize(1);
            Waiting.stays(
                    Duration.ofSeconds(1), () -> jobs.electors().get(0).lease().isEmpty());
            Waiting.soon().until(() -> jobs.electors().get(0).state() == LeaseState.STOPPED);
        } finally {
            scheduler.shutdown(true);
        }
    }
}
