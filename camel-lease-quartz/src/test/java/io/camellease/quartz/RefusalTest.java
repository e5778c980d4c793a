/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;

/** Jobs that do not begin although their fire was let in, as a route whose gate has shut meanwhile. */
@Tag("case")
class RefusalTest {

    private static final String TEST = "refusal";
    private static final AtomicReference<FireGuard> GUARD = new AtomicReference<>();
    private static final List<Date> REFUSED = new CopyOnWriteArrayList<>();
    private static final List<Date> BEGUN = new CopyOnWriteArrayList<>();

    /** Is refused the first time; all its runs end with an exception. */
    public static final class RefusedOnce implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            Date slot = (Date) context.getMergedJobDataMap().get(LeaseJobData.SCHEDULED_TIME);
            GUARD.get().begun(context);
            if (REFUSED.isEmpty()) {
                REFUSED.add(slot);
                GUARD.get().refused(context);
            } else {
                BEGUN.add(slot);
            }
            throw new JobExecutionException("on purpose");
        }
    }

    private static final class OfAll implements LeaseTriggerListener.Guards {
        @Override
        public Optional<FireGuard> of(JobKey job) {
            return Optional.of(GUARD.get());
        }

        @Override
        public Collection<FireGuard> all() {
            return List.of(GUARD.get());
        }
    }

    private static final class TellsBegin implements Surroundings {
        @Override
        public boolean tellsBegin() {
            return true;
        }
    }

    private static void open(LeaseEvent event) {
        if (event instanceof LeaseEvent.Granted granted) {
            GUARD.get().open(granted.lease());
        }
    }

    @Test
    void aJobThatWasRefusedRunsOnceMoreAndOneThatFailedDoesNot() throws Exception {
        LeaseSettings settings = LeaseSettings.builder(Duration.ofSeconds(30)).build();
        Scheduler scheduler = SingletonJobsTest.scheduler(TEST);
        try (LeaseClient client = new LeaseClient(QuartzNode.store(TEST), HolderId.unique("A"), settings)) {
            LeaseElector elector = client.elector(QuartzNode.lease(TEST), RefusalTest::open, () -> "");
            LeaseTriggerListener listener = LeaseTriggerListener.of(scheduler);
            GUARD.set(listener.newGuard(
                    new LeaseUse(elector, settings, client.ticker()), SlotOptions.DEFAULTS, new TellsBegin(), null));
            listener.add(new OfAll());
            scheduler.scheduleJob(
                    JobBuilder.newJob(RefusedOnce.class).build(),
                    TriggerBuilder.newTrigger()
                            .withSchedule(CronScheduleBuilder.cronSchedule("0/2 * * * * ?"))
                            .build());
            scheduler.start();
            elector.start();

            Waiting.soon().until(() -> BEGUN.size() >= 3);
            assertThat(BEGUN).contains(REFUSED.get(0)).doesNotHaveDuplicates();
        } finally {
            scheduler.shutdown(true);
        }
    }
}
