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
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The triggers of some jobs, and the slots of theirs that were missed: has the scheduler fire for them, one after the other.
 * Thread-safe; the scheduler is called on the timer thread only.
 */
final class Backlog {

    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final LeaseElector elector;
    private final Ticker ticker;
    private final Entrance entrance;
    private final SlotOptions options;
    private final Function<TriggerKey, SlotKeys> naming;
    private final SchedulerAccess scheduler;
    private final Map<TriggerKey, SingletonTrigger> triggers = new ConcurrentHashMap<>();
    private final ForeignChanges changes;
    private final ScheduleNotes notes;
    private final Set<JobKey> warned = ConcurrentHashMap.newKeySet();
    private final Set<TriggerKey> unreadable = ConcurrentHashMap.newKeySet();

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
        this.notes = new ScheduleNotes(elector, register, scheduler.timer());
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
        SingletonTrigger known = triggers.putIfAbsent(trigger.getKey(), made);
        SingletonTrigger learnt = known == null ? made : known;
        if (known == null) {
            warnOfRecovery(made.job());
        } else {
            known.replace(trigger, made.job(), schedule, since);
        }
        entrance.grant().ifPresent(lease -> scheduler.timer().execute(() -> open(learnt, lease, since)));
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
            triggers.values().forEach(trigger -> open(trigger, lease, openedAt));
        });
    }

    /** A trigger, or some, that somebody had paused go on: what fell due meanwhile is caught up with. */
    void resumed() {
        entrance.grant().ifPresent(this::open);
    }

    private void open(SingletonTrigger trigger, Lease lease, Instant openedAt) {
        if (!entrance.isOpenFor(lease)) {
            return;
        }
        if (trigger.isRemoved()) {
            if (!trigger.isOpenFor(lease)) {
                triggers.remove(trigger.trigger().getKey(), trigger);
            }
            return;
        }
        Map<String, Instant> stored = elector.slots(lease);
        notes.note(trigger, lease, stored, openedAt);
        switch (scheduler.standing(trigger, now())) {
            case FIRING -> {
                readCalendar(trigger);
                catchUp(trigger, lease, stored, openedAt);
            }
            case OVER -> trigger.remove();
            // it is looked at again
            case HELD_BACK, UNKNOWN ->
                LOG.debug("Trigger {} does not fire now", trigger.trigger().getKey());
        }
    }

    private void readCalendar(SingletonTrigger trigger) {
        try {
            trigger.leaveOut(scheduler.calendar(trigger.trigger()));
        } catch (RuntimeException failed) {
            LOG.warn(
                    "Trigger {}: its calendar is taken as it was",
                    trigger.trigger().getKey(),
                    failed);
        }
    }

    private void catchUp(SingletonTrigger trigger, Lease lease, Map<String, Instant> stored, Instant openedAt) {
        trigger.open(lease, stored, openedAt, now()).ifPresent(catchUp -> tell(trigger, catchUp));
        fireNext(trigger);
    }

    private void tell(SingletonTrigger trigger, CatchUp catchUp) {
        if (catchUp.isNothing()) {
            return;
        }
        LOG.info(
                "Trigger {}: since slot {} nobody ran {} slots that are not older than {}; missedFires={}: {} of them"
                        + " run now, {} do not. {} slots that were begun before are run again",
                trigger.trigger().getKey(),
                catchUp.reserved(),
                catchUp.missed().size() + catchUp.dropped(),
                options.missedFireLimit(),
                options.missedFires(),
                catchUp.missed().size(),
                catchUp.dropped(),
                catchUp.recovering().size());
    }

    /** Has the scheduler fire for the next slot that waits. */
    private void fireNext(SingletonTrigger trigger) {
        entrance.grant().ifPresent(lease -> trigger.next(lease).ifPresent(slot -> fireIfThere(trigger, lease, slot)));
    }

    private void fireIfThere(SingletonTrigger trigger, Lease lease, Instant slot) {
        switch (scheduler.standing(trigger, now())) {
            case FIRING -> fire(trigger, lease, slot);
            case HELD_BACK -> trigger.notFired(slot);
            case OVER -> trigger.remove();
            case UNKNOWN -> {
                trigger.notFired(slot);
                fireNextIn(trigger, RETRY_NANOS);
            }
        }
    }

    private void fire(SingletonTrigger trigger, Lease lease, Instant slot) {
        try {
            trigger.firedBy(scheduler.catchUp().fire(trigger.trigger(), trigger.job(), slot));
        } catch (SchedulerException | RuntimeException failed) {
            LOG.warn(
                    "Trigger {}: could not be fired for slot {}; trying again",
                    trigger.trigger().getKey(),
                    slot,
                    failed);
            trigger.change(lease, ledger -> ledger.notFired(slot));
            fireNextIn(trigger, RETRY_NANOS);
        }
    }

    /** As {@link #fireNext}, from any thread. */
    void fireNextSoon(SingletonTrigger trigger) {
        fireNextIn(trigger, 0);
    }

    void fireNextIn(SingletonTrigger trigger, long nanos) {
        scheduler.timer().schedule(() -> fireNext(trigger), nanos);
    }

    /**
     * Nodes that share a job store fire for one another, and the others' fires are vetoed there; so the holder looks for them.
     *
     * @param present the triggers that there are now: other nodes may have added, changed and removed some
     */
    void sweep(SharedJobStore.Listing present) {
        changes.adopt(present);
        entrance.grant().ifPresent(lease -> triggers.values().forEach(trigger -> sweep(trigger, lease)));
    }

    private void sweep(SingletonTrigger trigger, Lease lease) {
        if (!trigger.isOpenFor(lease)) {
            open(trigger, lease, now());
        } else if (!trigger.isRemoved() && scheduler.standing(trigger, now()) == Standing.FIRING) {
            if (trigger.isDue(now().minus(SingletonTrigger.GRACE))) {
                readCalendar(trigger);
            }
            trigger.lookForOverlooked(now());
            trigger.superviseFire(scheduler::isToFire).ifPresent(scheduler.catchUp()::drop);
            fireNext(trigger);
        }
    }

    /** What Quartz passed over, dropped or holds back no longer is fired for: it tells nobody of that. */
    void look() {
        entrance.usable().ifPresent(lease -> triggers.values().forEach(trigger -> lookIfPossible(trigger, lease)));
    }

    private void lookIfPossible(SingletonTrigger trigger, Lease lease) {
        TriggerKey key = trigger.trigger().getKey();
        try {
            look(trigger, lease);
            unreadable.remove(key);
        } catch (SchedulerException | RuntimeException failed) {
            if (unreadable.add(key)) {
                LOG.warn(
                        "Trigger {}: what became of it in the job store is not known; it is looked at again",
                        key,
                        failed);
            } else {
                LOG.debug("Trigger {} can still not be read", key, failed);
            }
        }
    }

    private void look(SingletonTrigger trigger, Lease lease) throws SchedulerException {
        if (!trigger.isOpenFor(lease)) {
            open(trigger, lease, now());
        } else if (!trigger.isRemoved()) {
            Instant end = now().minus(SingletonTrigger.GRACE);
            // as long as Quartz has not come to a slot itself, it is late and not lost
            boolean isOverlooked =
                    trigger.isDue(end) && scheduler.hasPassed(trigger.trigger().getKey(), end);
            if (isOverlooked || trigger.isOwing()) {
                lookAfter(trigger, isOverlooked);
            }
        }
    }

    private void lookAfter(SingletonTrigger trigger, boolean isOverlooked) {
        switch (scheduler.standing(trigger, now())) {
            case FIRING -> {
                if (isOverlooked) {
                    // nobody is told that it was replaced, and what it newly leaves out is not overlooked
                    readCalendar(trigger);
                    trigger.lookForOverlooked(now());
                }
                trigger.superviseFire(scheduler::isToFire).ifPresent(scheduler.catchUp()::drop);
                fireNext(trigger);
            }
            case OVER -> trigger.remove();
            case HELD_BACK, UNKNOWN ->
                LOG.debug("Trigger {} does not fire now", trigger.trigger().getKey());
        }
    }
}
