/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Instant;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * One fire of a trigger, as Quartz reports it.
 *
 * @param id differs between fires of one scheduler
 * @param trigger the trigger whose slot it is, not the one that was made to catch up with it
 * @param job what is to run
 * @param slot the time it was to fire at
 * @param isCatchUp whether it was fired by a trigger that was made to catch up
 */
record Fire(String id, TriggerKey trigger, JobKey job, Instant slot, boolean isCatchUp) {

    private static final String MANUAL = "MT_";
    private static final String QUARTZ_RECOVERY_GROUP = "RECOVERING_JOBS";

    static Fire of(JobExecutionContext context) {
        TriggerKey key = context.getTrigger().getKey();
        JobDataMap data = context.getTrigger().getJobDataMap();
        boolean isCatchUp = key.getGroup().equals(CatchUpTriggers.GROUP);
        return new Fire(
                context.getFireInstanceId(),
                isCatchUp ? CatchUpTriggers.original(data) : key,
                context.getJobDetail().getKey(),
                context.getScheduledFireTime().toInstant(),
                isCatchUp);
    }

    /** Whether somebody called {@code Scheduler.triggerJob}, which makes a trigger of its own for each call. */
    boolean isManual() {
        return trigger.getName().startsWith(MANUAL);
    }

    /** Whether Quartz itself repeats a run that a crash cut off, which the lease does better. */
    boolean isRecoveryOfQuartz() {
        return trigger.getGroup().equals(QUARTZ_RECOVERY_GROUP);
    }
}
