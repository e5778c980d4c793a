/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;

/** Nodes that share a clustered job store and a lease: who fires is decided by the store, who runs by the lease. */
@Tag("case")
class ClusteredStoreTest {

    private static Scheduler scheduler(SharedDatabase database, String test, String node) throws SchedulerException {
        Properties properties = database.into(QuartzNode.properties(test, node), test);
        properties.setProperty("org.quartz.plugin.lease.missedFires", "all");
        // two schedulers of one JVM cannot both be looked up by one name
        SchedulerRepository.getInstance().remove(test);
        return new StdSchedulerFactory(properties).getScheduler();
    }

    private static boolean holds(Scheduler scheduler) throws SchedulerException {
        return SingletonJobs.of(scheduler).orElseThrow().electors().stream()
                .anyMatch(elector -> elector.check().isPresent());
    }

    @Test
    void c86_aNodeThatLeavesLeavesTheSharedTriggerToTheOthers() throws Exception {
        String test = "c86";
        Runs runs = Runs.of(test);
        SharedDatabase database = new SharedDatabase(test);
        Scheduler a = scheduler(database, test, "A");
        Scheduler b = scheduler(database, test, "B");
        try {
            a.scheduleJob(
                    JobBuilder.newJob(Runs.Recorder.class)
                            .withIdentity("job")
                            .usingJobData("test", test)
                            .build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("trigger")
                            .withSchedule(CronScheduleBuilder.cronSchedule("0/2 * * * * ?"))
                            .build());
            a.start();
            Waiting.soon().until(() -> holds(a));
            b.start();
            Waiting.soon().until(() -> runs.begunOn("A").size() >= 3);
            assertThat(runs.begunOn("B")).isEmpty();

            SingletonJobs.of(a).orElseThrow().electors().get(0).giveAway();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 3);
            assertThat(database.triggerState("trigger")).isIn("WAITING", "ACQUIRED");

            b.shutdown(true);
            assertThat(database.triggerState("trigger")).isIn("WAITING", "ACQUIRED");
            int before = runs.begunOn("A").size();
            Waiting.soon().until(() -> runs.begunOn("A").size() >= before + 2);
        } finally {
            a.shutdown(true);
            b.shutdown(true);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                                runs.slots().first(),
                                                runs.slots().last())
                                        .toSeconds()
                                / 2
                        + 1);
    }
}
