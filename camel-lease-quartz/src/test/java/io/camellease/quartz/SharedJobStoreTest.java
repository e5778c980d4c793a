/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** What a node reads once a second in the job store that it shares. A is the holder. */
@Tag("case")
class SharedJobStoreTest {

    private static final LeaseTriggerListener.Guards NONE = new LeaseTriggerListener.Guards() {
        @Override
        public Optional<FireGuard> of(JobKey job) {
            return Optional.empty();
        }

        @Override
        public Collection<FireGuard> all() {
            return List.of();
        }
    };

    @Test
    void aStoreThatCannotBeReadWhenTheSchedulerStartsIsReadLater() throws Exception {
        AtomicInteger listings = new AtomicInteger();
        try (ClusteredPair pair = ClusteredPair.of("unreadable-at-start", 1)) {
            pair.a().getContext().remove("camel-lease");
            LeaseTriggerListener listener = LeaseTriggerListener.of(UnlistableJobs.once(pair.a(), listings));
            assertThatIllegalStateException().isThrownBy(() -> listener.learn(NONE));

            Waiting.soon().until(() -> listings.get() >= 3);
        }
    }

    private static Trigger daily(String name, String data) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .startAt(Date.from(Instant.parse("2026-01-01T00:00:00Z")))
                .usingJobData("some", data)
                .withSchedule(CronScheduleBuilder.cronSchedule("0 0 0 1 1 ?"))
                .build();
    }

    @Test
    void aTriggerThatCannotBeReadHidesNoOther() throws Exception {
        try (ClusteredPair pair = ClusteredPair.of("unreadable", 4).started("* * * * * ?")) {
            pair.b().scheduleJob(pair.job("unreadable"), daily("unreadable", "x"));
            pair.database().change("UPDATE QRTZ_TRIGGERS SET JOB_DATA = X'00' WHERE TRIGGER_NAME = 'unreadable'");

            pair.b().scheduleJob(pair.job("readable"), daily("readable", "x"));

            Waiting.soon()
                    .until(() ->
                            pair.backlogOfA().find(new TriggerKey("readable")).isPresent());
        }
    }

    @Test
    void aTriggerIsRunWithTheDataThatAnotherNodeGaveIt() throws Exception {
        TriggerKey key = new TriggerKey("some");
        try (ClusteredPair pair = ClusteredPair.of("other-data", 4).started("* * * * * ?")) {
            pair.b().scheduleJob(pair.job("some"), daily("some", "old"));
            Waiting.soon().until(() -> pair.backlogOfA().find(key).isPresent());

            pair.b().rescheduleJob(key, daily("some", "new"));

            Waiting.soon().until(() -> pair.backlogOfA()
                    .find(key)
                    .orElseThrow()
                    .trigger()
                    .getJobDataMap()
                    .getString("some")
                    .equals("new"));
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }
}
