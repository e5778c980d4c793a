/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseTimer;
import java.time.Instant;
import java.util.Objects;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the guards of one scheduler share.
 *
 * @param scheduler theirs
 * @param catchUp fires for slots in the past
 * @param timer where the scheduler is called: apart from its own threads, which its answers may wait for
 */
record SchedulerAccess(Scheduler scheduler, CatchUpTriggers catchUp, LeaseTimer timer) {

    private static final Logger LOG = LoggerFactory.getLogger(SchedulerAccess.class);

    Schedule schedule(Trigger trigger, Instant now) {
        try {
            String calendar = trigger.getCalendarName();
            return new Schedule(trigger, calendar == null ? null : scheduler.getCalendar(calendar), now);
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the calendar of trigger " + trigger.getKey() + " cannot be read", failed);
        }
    }

    JobDetail job(Trigger trigger) {
        try {
            return Objects.requireNonNull(
                    scheduler.getJobDetail(trigger.getJobKey()), () -> "there is no job " + trigger.getJobKey());
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the job of trigger " + trigger.getKey() + " cannot be read", failed);
        }
    }

    void interrupt(String fireInstanceId) {
        try {
            scheduler.interrupt(fireInstanceId);
        } catch (SchedulerException failed) {
            LOG.warn("A job could not be interrupted after its lease was lost", failed);
        }
    }

    boolean isPaused(TriggerKey trigger) {
        try {
            return scheduler.getTriggerState(trigger) == Trigger.TriggerState.PAUSED;
        } catch (SchedulerException failed) {
            LOG.warn("It is unknown whether trigger {} is paused", trigger, failed);
            return true;
        }
    }

    boolean isClustered() {
        try {
            return scheduler.getMetaData().isJobStoreClustered();
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the job store of the scheduler cannot be asked what it is", failed);
        }
    }
}
