/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseTimer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SchedulerMetaData;
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
        return new Schedule(trigger, calendar(trigger), now);
    }

    /** The times that a trigger leaves out, as they are now. */
    @Nullable
    Calendar calendar(Trigger trigger) {
        String name = trigger.getCalendarName();
        try {
            return name == null ? null : scheduler.getCalendar(name);
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the calendar of trigger " + trigger.getKey() + " cannot be read", failed);
        }
    }

    /** The triggers of a job that have slots. */
    List<Trigger> triggers(JobKey job) throws SchedulerException {
        return scheduler.getTriggersOfJob(job).stream()
                .filter(Fire::hasSlots)
                .<Trigger>map(trigger -> trigger)
                .toList();
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

    /** Whether the trigger that there is of that key has the times of this one; false if that cannot be told now. */
    boolean hasTimesOf(Trigger fired) {
        try {
            Trigger present = scheduler.getTrigger(fired.getKey());
            return present != null && Schedule.haveSameTimes(present, fired);
        } catch (SchedulerException failed) {
            LOG.warn("Whether trigger {} was replaced is unknown", fired.getKey(), failed);
            return false;
        }
    }

    /** What the scheduler makes of a trigger now. */
    Standing standing(SingletonTrigger trigger, Instant now) {
        return state(trigger.trigger().getKey())
                .map(state -> switch (state) {
                    case PAUSED, ERROR -> Standing.HELD_BACK;
                    case NONE, COMPLETE -> trigger.schedule().goesOnAfter(now) ? Standing.OVER : Standing.FIRING;
                    case NORMAL, BLOCKED -> Standing.FIRING;
                })
                .orElse(Standing.UNKNOWN);
    }

    /**
     * Whether a trigger that was made to catch up, with a trigger that fires, is still to fire; true if that cannot be told now.
     */
    boolean isToFire(TriggerKey catchUpTrigger) {
        try {
            return switch (scheduler.getTriggerState(catchUpTrigger)) {
                case NORMAL, BLOCKED -> isToFireAtAll(catchUpTrigger);
                case PAUSED -> {
                    scheduler.resumeTrigger(catchUpTrigger);
                    yield true;
                }
                case NONE, COMPLETE, ERROR -> false;
            };
        } catch (SchedulerException failed) {
            LOG.warn("Whether trigger {} is still to fire is unknown", catchUpTrigger, failed);
            return true;
        }
    }

    /** A store in memory keeps one whose fire was dropped. */
    private boolean isToFireAtAll(TriggerKey catchUpTrigger) throws SchedulerException {
        Trigger present = scheduler.getTrigger(catchUpTrigger);
        return present != null && present.getNextFireTime() != null;
    }

    /** Whether Quartz itself fires that trigger for no slot up to that time any more. */
    boolean hasPassed(TriggerKey trigger, Instant time) throws SchedulerException {
        Trigger present = scheduler.getTrigger(trigger);
        Date next = present == null ? null : present.getNextFireTime();
        return next == null || next.toInstant().isAfter(time);
    }

    private Optional<Trigger.TriggerState> state(TriggerKey trigger) {
        try {
            return Optional.of(scheduler.getTriggerState(trigger));
        } catch (SchedulerException failed) {
            LOG.warn("The state of trigger {} is unknown", trigger, failed);
            return Optional.empty();
        }
    }

    boolean isClustered() {
        return metaData().isJobStoreClustered();
    }

    /** Whether jobs outlive the process, so that Quartz could run one again after a crash. */
    boolean keepsJobs() {
        return metaData().isJobStoreSupportsPersistence();
    }

    private SchedulerMetaData metaData() {
        try {
            return scheduler.getMetaData();
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the job store of the scheduler cannot be asked what it is", failed);
        }
    }
}
