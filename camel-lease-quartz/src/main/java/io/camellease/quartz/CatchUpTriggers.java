/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Triggers that fire once, at once, for a slot in the past. They run the job on the scheduler's own threads, so that its number
 * of threads and {@code DisallowConcurrentExecution} hold for them as well. Thread-safe.
 */
final class CatchUpTriggers {

    /** The group of these triggers. */
    static final String GROUP = "camel-lease";

    private static final Logger LOG = LoggerFactory.getLogger(CatchUpTriggers.class);
    private static final String ORIGINAL_NAME = "CamelLeaseTriggerName";
    private static final String ORIGINAL_GROUP = "CamelLeaseTriggerGroup";

    private final Scheduler scheduler;
    private final String nodeId;
    private final AtomicLong count = new AtomicLong();

    /**
     * Triggers for one scheduler.
     *
     * @param nodeId differs between processes, since they may share a job store
     */
    CatchUpTriggers(Scheduler scheduler, String nodeId) {
        this.scheduler = scheduler;
        this.nodeId = nodeId;
    }

    /** The trigger whose slot the fire is for. */
    static TriggerKey original(JobDataMap data) {
        return new TriggerKey(data.getString(ORIGINAL_NAME), data.getString(ORIGINAL_GROUP));
    }

    /**
     * Fires for that slot, even if the original and its job have fired for the last time and are gone.
     *
     * @return the trigger that does
     */
    TriggerKey fire(Trigger original, JobDetail job, Instant slot) throws SchedulerException {
        JobDataMap data = new JobDataMap(original.getJobDataMap());
        data.put(ORIGINAL_NAME, original.getKey().getName());
        data.put(ORIGINAL_GROUP, original.getKey().getGroup());
        Trigger trigger = TriggerBuilder.newTrigger()
                .withIdentity(nodeId + "-" + count.incrementAndGet(), GROUP)
                .withDescription("catches up with " + original.getKey())
                .forJob(job.getKey())
                .startAt(Date.from(slot))
                .withPriority(original.getPriority())
                // with any other the scheduled time would become the time it is fired at
                .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
                .usingJobData(data)
                .build();
        if (scheduler.checkExists(job.getKey())) {
            scheduler.scheduleJob(trigger);
        } else {
            scheduler.scheduleJob(job, trigger);
        }
        resumeIfPaused(trigger.getKey());
        return trigger.getKey();
    }

    /** Quartz pauses what is added to a group that is paused, although the job itself may have been resumed. */
    private void resumeIfPaused(TriggerKey added) {
        try {
            if (scheduler.getTriggerState(added) == Trigger.TriggerState.PAUSED) {
                scheduler.resumeTrigger(added);
            }
        } catch (SchedulerException failed) {
            LOG.warn("Whether trigger {} is paused is unknown; it is looked at again", added, failed);
        }
    }

    /** A trigger that was to fire and will not is removed, unless it is gone. */
    void drop(TriggerKey added) {
        try {
            scheduler.unscheduleJob(added);
        } catch (SchedulerException failed) {
            LOG.warn("Trigger {}, which fires no more, could not be removed", added, failed);
        }
    }

    /** A run that caught up had its trigger unscheduled, which means the original; the other one is used up. */
    void unscheduleOriginal(Trigger fired) {
        try {
            scheduler.unscheduleJob(original(fired.getJobDataMap()));
            // Quartz would keep it, as one that is complete
            scheduler.unscheduleJob(fired.getKey());
        } catch (SchedulerException failed) {
            LOG.warn("Trigger {} could not be unscheduled", original(fired.getJobDataMap()), failed);
        }
    }
}
