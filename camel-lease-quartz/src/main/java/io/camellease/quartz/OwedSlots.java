/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.Ticker;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds which slots of a trigger are owed under a grant, and has the scheduler fire for them, one after the other. Thread-safe; for
 * the timer thread, unless said otherwise.
 */
final class OwedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(OwedSlots.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final LeaseElector elector;
    private final Ticker ticker;
    private final Entrance entrance;
    private final SlotOptions options;
    private final SchedulerAccess scheduler;
    private final ScheduleNotes notes;
    private final Set<TriggerKey> unreadable = ConcurrentHashMap.newKeySet();

    OwedSlots(LeaseUse use, Entrance entrance, SlotRegister register, SlotOptions options, SchedulerAccess scheduler) {
        this.elector = use.elector();
        this.ticker = use.ticker();
        this.entrance = entrance;
        this.options = options;
        this.scheduler = scheduler;
        this.notes = new ScheduleNotes(elector, register, scheduler.timer());
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }

    // ---- a grant begins

    /** The grant begins for a trigger that is there, or goes on: what was missed since the one before is caught up with. */
    void open(SingletonTrigger trigger, Lease lease, Instant openedAt) {
        if (!entrance.isOpenFor(lease) || trigger.isRemoved()) {
            return;
        }
        Map<String, Instant> stored = elector.slots(lease);
        Instant since = trigger.countsSince(lease, openedAt);
        notes.note(trigger, lease, stored, since);
        switch (scheduler.standing(trigger, now())) {
            case FIRING -> {
                readCalendar(trigger);
                catchUp(trigger, lease, stored, since);
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

    private void catchUp(SingletonTrigger trigger, Lease lease, Map<String, Instant> stored, Instant since) {
        trigger.open(lease, stored, since, now()).ifPresent(catchUp -> tell(trigger, catchUp));
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

    /** As {@link #fireNext}, after some time, from any thread. */
    void fireNextIn(SingletonTrigger trigger, long nanos) {
        scheduler.timer().schedule(() -> fireNext(trigger), nanos);
    }

    // ---- in between

    /** Nodes share the job store, and fire for one another. */
    void sweep(SingletonTrigger trigger, Lease lease) {
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

    /** What Quartz passed over, dropped or holds back no longer is fired for. */
    void look(SingletonTrigger trigger, Lease lease) {
        TriggerKey key = trigger.trigger().getKey();
        try {
            lookAt(trigger, lease);
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

    private void lookAt(SingletonTrigger trigger, Lease lease) throws SchedulerException {
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
