/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.Ticker;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The triggers of some jobs: as they are now, whoever changes them, and when to look which of their slots are owed. Thread-safe; the
 * scheduler is called on the timer thread only.
 */
final class Backlog {

    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

    private final LeaseElector elector;
    private final Ticker ticker;
    private final Entrance entrance;
    private final SlotOptions options;
    private final Function<TriggerKey, SlotKeys> naming;
    private final SchedulerAccess scheduler;
    private final Map<TriggerKey, SingletonTrigger> triggers = new ConcurrentHashMap<>();
    private final ForeignChanges changes;
    private final OwedSlots owed;
    private final Set<JobKey> warned = ConcurrentHashMap.newKeySet();

    Backlog(
            LeaseUse use,
            Entrance entrance,
            SlotRegister register,
            SlotOptions options,
            Function<TriggerKey, SlotKeys> naming,
            SchedulerAccess scheduler) {
        this.elector = use.elector();
        this.ticker = use.ticker();
        this.entrance = entrance;
        this.options = options;
        this.naming = naming;
        this.scheduler = scheduler;
        this.owed = new OwedSlots(use, entrance, register, options, scheduler);
        this.changes = new ForeignChanges(triggers, scheduler, ticker, this::learn);
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }

    // ---- the triggers

    /** The trigger of that key, if it was learnt. */
    Optional<SingletonTrigger> find(TriggerKey key) {
        return Optional.ofNullable(triggers.get(key));
    }

    /** A trigger was added or replaced, or is seen for the first time. */
    SingletonTrigger learn(Trigger trigger) {
        Instant now = now();
        Instant start = trigger.getStartTime().toInstant().minusMillis(1);
        // one that starts now is due before anybody is told of it
        boolean isOfNow = start.isAfter(now.minus(ForeignChanges.UNSEEN));
        // and one that is overdue has no other time
        boolean isOverdue = trigger.getFireTimeAfter(Date.from(now)) == null;
        return learn(trigger, start.isBefore(now) && (isOfNow || isOverdue) ? start : now);
    }

    /** As {@link #learn(Trigger)}; if it has other times than before, it owes those after an instant. */
    SingletonTrigger learn(Trigger trigger, Instant since) {
        Schedule schedule = scheduler.schedule(trigger, now());
        SingletonTrigger made = new SingletonTrigger(
                trigger, scheduler.job(trigger), schedule, naming.apply(trigger.getKey()), options);
        SingletonTrigger there = triggers.get(trigger.getKey());
        // before a look can open it as if it was there for long
        entrance.grant().ifPresent(lease -> (there == null ? made : there).addedUnder(lease, since));
        SingletonTrigger known = triggers.putIfAbsent(trigger.getKey(), made);
        SingletonTrigger learnt = known == null ? made : known;
        if (known == null) {
            warnOfRecovery(made.job());
        } else {
            known.replace(trigger, made.job(), schedule, since);
        }
        entrance.grant().ifPresent(lease -> scheduler.timer().execute(() -> owed.open(learnt, lease, since)));
        return learnt;
    }

    private void warnOfRecovery(JobDetail job) {
        if (job.requestsRecovery() && !options.recoverInFlight() && scheduler.keepsJobs() && warned.add(job.getKey())) {
            LOG.warn(
                    "Job {} requests recovery, which the lease takes the place of: what a crash cuts off is not run again"
                            + " unless recoverInFlight=true is set",
                    job.getKey());
        }
    }

    /** Whether a trigger fires at one of its times, as it and its calendar are now. */
    boolean isTimely(SingletonTrigger known, Instant slot, JobExecutionContext context) {
        known.leaveOut(context.getCalendar());
        Trigger fired = context.getTrigger();
        // one that was replaced after it had fired must not take the place of the other
        if (!known.schedule().contains(slot) && !known.schedule().isThatOf(fired) && scheduler.hasTimesOf(fired)) {
            moved(known, slot, fired);
        }
        return known.schedule().contains(slot);
    }

    /** A misfired trigger that counts its fires goes on from there; any other one was replaced, and nobody was told so far. */
    private void moved(SingletonTrigger known, Instant slot, Trigger trigger) {
        if (scheduler.isClustered() || !known.schedule().isOfSamePeriodAs(trigger)) {
            learn(trigger, slot.minusMillis(1));
        } else {
            known.redefine(trigger, known.job(), scheduler.schedule(trigger, now()));
        }
    }

    /** A misfired trigger fires at some time or other. */
    void misfired(SingletonTrigger known, Lease lease, Instant slot) {
        LOG.info(
                "Trigger {}: {} is none of its times, so nothing runs for it; missed slots are caught up with",
                known.trigger().getKey(),
                slot);
        if (entrance.isOpenFor(lease)) {
            known.lookUpTo(now());
        }
        fireNextSoon(known);
    }

    /** This node does not hold the lease. With a shared job store the holder looks for the slot, if it has seen the trigger. */
    void vetoed(SingletonTrigger known, Instant slot) {
        // else it would be waited for when runs can begin again
        known.notFired(slot);
        Schedule schedule = known.schedule();
        if (scheduler.isClustered()
                && !schedule.goesOnAfter(slot)
                && schedule.seenAt().isAfter(slot.minus(ForeignChanges.UNSEEN))) {
            LOG.warn(
                    "Trigger {} fired for the last time, for {}, on a node that does not hold lease '{}'. Unless the holder"
                            + " saw the trigger before, which takes a second or two, that slot is lost",
                    known.trigger().getKey(),
                    slot,
                    elector.name());
        }
    }

    /** A trigger was removed. Which of its slots were begun is remembered, as it may come back. */
    void forget(TriggerKey trigger) {
        find(trigger).ifPresent(SingletonTrigger::remove);
    }

    /** As {@link #forget}, all of them. */
    void forgetAll() {
        triggers.values().forEach(SingletonTrigger::remove);
    }

    /** A job was removed, by somebody or since its triggers have fired for the last time; then they are still caught up with. */
    void forget(JobKey job) {
        triggers.values().stream()
                .filter(known -> known.job().getKey().equals(job))
                .forEach(known -> scheduler.timer().execute(() -> removeIfOver(known)));
    }

    private void removeIfOver(SingletonTrigger known) {
        if (scheduler.standing(known, now()) == Standing.OVER) {
            known.remove();
        }
    }

    // ---- catching up, on the timer thread

    /** A grant begins, or goes on: what was missed until now is caught up with. Returns at once. */
    void open(Lease lease) {
        Instant openedAt = now();
        scheduler.timer().execute(() -> {
            if (scheduler.isClustered()) {
                triggers.values().forEach(changes::adopt);
            }
            forgetRemoved(lease);
            triggers.values().forEach(trigger -> owed.open(trigger, lease, openedAt));
        });
    }

    /** A trigger, or some, that somebody had paused go on: what fell due meanwhile is caught up with. */
    void resumed() {
        entrance.grant().ifPresent(this::open);
    }

    /** Those that were removed before the grant. */
    private void forgetRemoved(Lease lease) {
        if (entrance.isOpenFor(lease)) {
            triggers.values().removeIf(trigger -> trigger.isRemoved() && !trigger.isOpenFor(lease));
        }
    }

    /** Has the scheduler fire for the next slot that waits, from any thread. */
    void fireNextSoon(SingletonTrigger trigger) {
        owed.fireNextIn(trigger, 0);
    }

    /** As {@link #fireNextSoon}, after some time. */
    void fireNextIn(SingletonTrigger trigger, long nanos) {
        owed.fireNextIn(trigger, nanos);
    }

    /**
     * Nodes that share a job store fire for one another, and the others' fires are vetoed there; so the holder looks for them.
     *
     * @param present the triggers that there are now: other nodes may have added, changed and removed some
     */
    void sweep(SharedJobStore.Listing present) {
        changes.adopt(present);
        entrance.grant().ifPresent(lease -> {
            forgetRemoved(lease);
            triggers.values().forEach(trigger -> owed.sweep(trigger, lease));
        });
    }

    /** What Quartz passed over, dropped or holds back no longer is fired for: it tells nobody of that. */
    void look() {
        entrance.usable().ifPresent(lease -> {
            forgetRemoved(lease);
            triggers.values().forEach(trigger -> owed.look(trigger, lease));
        });
    }
}
