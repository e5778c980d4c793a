/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** A scheduler whose lease cannot be set up is not made: its jobs would run on every node. */
class PluginTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store=         | org.quartz.plugin.lease.store is not set: give the URI",
                "store=nosuch:x | no lease store for the scheme 'nosuch'",
                "ttl=abc        | org.quartz.plugin.lease.ttl='abc' is not a duration",
                "ttl=1ms        | ttl=",
                "jobs=          | org.quartz.plugin.lease.jobs is not set: name the jobs",
                "missedFires=two| org.quartz.plugin.lease.missedFires='two' must be once",
                "missedFireLimit=400d | org.quartz.plugin.lease.missedFireLimit='400d' must be 1 ms to 31 days",
                "missedFireLimit=999999999999999h | missedFireLimit='999999999999999h' must be 1 ms to 31 days",
                "username=reader | org.quartz.plugin.lease.username and org.quartz.plugin.lease.password belong together",
                "recoverInFlight=yes  | org.quartz.plugin.lease.recoverInFlight='yes' must be true or false",
                "interruptOnLoss=no   | org.quartz.plugin.lease.interruptOnLoss='no' must be true or false",
            })
    void aWrongOptionIsToldAndNoSchedulerIsMade(String option, String message) {
        assertThatThrownBy(() -> new QuartzNode("wrong", "A", option))
                .isInstanceOf(SchedulerException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatIsUnwiseIsWarnedOf() throws Exception {
        try (LogLines log = LogLines.open();
                QuartzNode a = new QuartzNode("unwise", "A", "store=mongodb://me:secret@127.0.0.1:9/app")) {
            assertThat(log.of(Level.WARN, "org.quartz.plugin.lease.store contains a password"))
                    .hasSize(1)
                    .noneMatch(line -> line.contains("secret"));
            assertThat(a.holds()).isFalse();
        }
    }

    /** Quartz would run such a job again after a crash; the lease does so only if it is told to. */
    @Test
    void aJobThatRequestsRecoveryIsToldThatTheLeaseDoesNotRecoverIt() throws Exception {
        String test = "requests-recovery";
        Properties properties = new SharedDatabase(test).into(QuartzNode.properties(test, "A"), test);
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        try (LogLines log = LogLines.open()) {
            scheduler.scheduleJob(
                    JobBuilder.newJob(Runs.Recorder.class)
                            .withIdentity(test)
                            .requestRecovery()
                            .build(),
                    TriggerBuilder.newTrigger()
                            .withSchedule(CronScheduleBuilder.cronSchedule("0 0 0 1 1 ?"))
                            .build());
            scheduler.start();

            assertThat(log.of(Level.WARN, test, "recoverInFlight=true")).hasSize(1);
        } finally {
            scheduler.shutdown(true);
        }
    }

    @Test
    void allMistakesAreToldAtOnce() {
        assertThatThrownBy(() -> new QuartzNode("wrong", "A", "ttl=abc", "jobs=", "missedFires=two"))
                .hasMessageContaining("ttl='abc'")
                .hasMessageContaining("jobs is not set")
                .hasMessageContaining("missedFires='two'");
    }

    @Test
    void anOptionThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> new QuartzNode("wrong", "A", "job=DEFAULT.*")).isInstanceOf(SchedulerException.class);
    }

    @Test
    void aSchedulerWithoutANameNeedsTheNameOfTheApplication() {
        Properties properties = QuartzNode.properties("unnamed", "A");
        properties.remove("org.quartz.scheduler.instanceName");
        properties.remove("org.quartz.plugin.lease.application");

        assertThatThrownBy(() -> new StdSchedulerFactory(properties).getScheduler())
                .hasMessageContaining("application is not set")
                .hasMessageContaining("org.quartz.scheduler.instanceName");
    }

    @Test
    void patternsAreOfGroupAndName() {
        JobPatterns patterns = JobPatterns.parse("DEFAULT.report, billing.*");

        assertThat(patterns.match(new JobKey("report"))).isTrue();
        assertThat(patterns.match(new JobKey("reports"))).isFalse();
        assertThat(patterns.match(new JobKey("x.y", "billing"))).isTrue();
        assertThat(patterns.match(new JobKey("x", "billings"))).isFalse();
        assertThat(patterns.unmatched(java.util.List.of(new JobKey("report")))).containsExactly("billing.*");
    }
}
