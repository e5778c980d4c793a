/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Instant;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * One fire of a trigger, as Quartz reports it.
 *
 * @param id differs between fires of one scheduler
 * @param trigger the trigger whose slot it is, not the one that was made to catch up with it
 * @param job what is to run
 * @param slot the time it was to fire at
 * @param isCatchUp whether it was fired by a trigger that was made to catch up
 * @param isManual whether somebody called {@code Scheduler.triggerJob}, which makes a trigger of its own for each call
 */
record Fire(String id, TriggerKey trigger, JobKey job, Instant slot, boolean isCatchUp, boolean isManual) {

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
                isCatchUp,
                isManual(context.getTrigger()));
    }

    /** Whether slots of that trigger are reserved: it is neither made by Quartz for one run nor to catch up. */
    static boolean hasSlots(Trigger trigger) {
        String group = trigger.getKey().getGroup();
        return !isManual(trigger) && !group.equals(CatchUpTriggers.GROUP) && !group.equals(QUARTZ_RECOVERY_GROUP);
    }

    private static boolean isManual(Trigger trigger) {
        return trigger.getKey().getName().startsWith(MANUAL)
                && trigger.getKey().getGroup().equals(Scheduler.DEFAULT_GROUP)
                && trigger instanceof SimpleTrigger simple
                && simple.getRepeatCount() == 0;
    }

    /** Whether Quartz itself repeats a run that a crash cut off, which the lease does better. */
    boolean isRecoveryOfQuartz() {
        return trigger.getGroup().equals(QUARTZ_RECOVERY_GROUP);
    }
}
