/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/**
 * One execution of a job that was let in.
 *
 * @param context its own
 * @param lease under which it was let in
 * @param trigger whose slot it is for; null if it is for none
 * @param slot which it is for; null if it is for none
 * @param isRepeat whether the slot may have been begun under an earlier grant
 */
record Run(
        JobExecutionContext context,
        Lease lease,
        @Nullable SingletonTrigger trigger,
        @Nullable Instant slot,
        boolean isRepeat) {

    static Run withoutSlot(JobExecutionContext context, Lease lease) {
        return new Run(context, lease, null, null, false);
    }

    String id() {
        return context.getFireInstanceId();
    }

    boolean isInterruptable() {
        return context.getJobInstance() instanceof InterruptableJob;
    }

    /** Tells the job what it is run for. */
    void stamp() {
        JobDataMap data = context.getMergedJobDataMap();
        data.put(LeaseJobData.LEASE_NAME, lease.name().value());
        data.put(LeaseJobData.LEASE_TOKEN, lease.token().value());
        if (slot != null) {
            data.put(LeaseJobData.SCHEDULED_TIME, Date.from(slot));
        }
        if (isRepeat) {
            data.put(LeaseJobData.RECOVERING, true);
        }
    }
}
