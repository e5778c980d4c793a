/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;

/** A node whose clock is behind that of the store, and behind those of the nodes that ran before it. */
@Tag("case")
class ClockBehindTest {

    private static final String TEST = "clock-behind";
    private static final Duration BEHIND = Duration.ofHours(1);

    private static Moment ahead() {
        Moment now = Ticker.system().now();
        return new Moment(now.nanos(), now.wallMillis() + BEHIND.toMillis());
    }

    @Test
    void aHolderThatRunsNothingSinceItsClockIsBehindSaysSoAndGivesTheLeaseAway() throws Exception {
        InMemoryLeaseStore store = new InMemoryLeaseStore(ClockBehindTest::ahead);
        Lease before = store.steal(QuartzNode.lease(TEST), new HolderId("X"), Duration.ofMinutes(1));
        store.advance(
                before,
                SlotKeys.of(ClusteredPair.TRIGGER).reserved(),
                Instant.now().plus(BEHIND));
        store.expire(QuartzNode.lease(TEST));
        LeaseSettings settings = LeaseSettings.builder(Duration.ofSeconds(2)).build();
        Scheduler scheduler = SingletonJobsTest.scheduler(TEST);
        try (LogLines log = LogLines.open();
                LeaseClient client = new LeaseClient(store, HolderId.unique("A"), settings)) {
            SingletonJobs jobs = new SingletonJobs(
                    scheduler,
                    client,
                    new SingletonJobs.Options(TEST, "*", Optional.empty(), SlotOptions.DEFAULTS, false),
                    () -> "");
            scheduler.scheduleJob(
                    JobBuilder.newJob(Runs.Recorder.class)
                            .withIdentity("job")
                            .usingJobData("test", TEST)
                            .build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity(ClusteredPair.TRIGGER)
                            .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?"))
                            .build());
            scheduler.start();

            Waiting.soon().until(() -> !log.of(Level.WARN, TEST, "clock of this node", "behind")
                    .isEmpty());
            Waiting.soon()
                    .until(() -> !log.of(Level.WARN, TEST, "is given away").isEmpty());
            assertThat(jobs.electors()).hasSize(1);
            assertThat(Runs.of(TEST).begun()).isEmpty();
        } finally {
            scheduler.shutdown(true);
        }
    }
}
