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
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
    private final SlotRegister register;
    private final SlotOptions options;
    private final Function<TriggerKey, SlotKeys> naming;
    private final SchedulerAccess scheduler;
    private final Map<TriggerKey, SingletonTrigger> triggers = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Lease> sweptFor = new AtomicReference<>();

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
        this.register = register;
        this.options = options;
        this.naming = naming;
        this.scheduler = scheduler;
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
        Schedule schedule = scheduler.schedule(trigger, now());
        SingletonTrigger made = new SingletonTrigger(
                trigger, scheduler.job(trigger), schedule, naming.apply(trigger.getKey()), options);
        SingletonTrigger known = triggers.putIfAbsent(trigger.getKey(), made);
        SingletonTrigger learnt = known == null ? made : known;
        boolean isChanged = known != null && known.replace(trigger, scheduler.job(trigger), schedule, now());
        entrance.grant().ifPresent(lease -> {
            if (isChanged) {
                // else the next holder would take it for new, and owe nothing from before its own grant
                note(lease, learnt.keys().since(schedule), now());
            }
            openSoon(learnt, lease);
        });
        return learnt;
    }

    /** A misfired trigger fires at some time or other, and one that counts its fires goes on from there. */
    void misfired(SingletonTrigger known, Lease lease, Trigger trigger) {
        if (!known.schedule().isThatOf(trigger)) {
            known.redefine(trigger, known.job(), scheduler.schedule(trigger, now()));
        }
        if (entrance.isOpenFor(lease)) {
            known.lookUpTo(now());
        }
        fireNextSoon(known);
    }

    /** A trigger, or all of them if null, was removed. Which of its slots were begun is remembered, as it may come back. */
    void forget(@Nullable TriggerKey trigger) {
        triggers.forEach((key, known) -> {
            if (trigger == null || key.equals(trigger)) {
                known.remove();
            }
        });
    }

    // ---- catching up, on the timer thread

    /** A grant begins, or goes on: what was missed until now is caught up with. Returns at once. */
    void open(Lease lease) {
        Instant openedAt = now();
        scheduler.timer().execute(() -> {
            triggers.values().forEach(trigger -> open(trigger, lease, openedAt));
            if (scheduler.isClustered() && !lease.equals(sweptFor.getAndSet(lease))) {
                sweep(lease);
            }
        });
    }

    private void openSoon(SingletonTrigger trigger, Lease lease) {
        Instant openedAt = now();
        scheduler.timer().execute(() -> open(trigger, lease, openedAt));
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
        Map<String, Instant> stored = elector.slotsAtGrant(lease);
        trigger.open(lease, stored, openedAt, now()).ifPresent(catchUp -> {
            tell(trigger, catchUp);
            store(trigger, lease, stored, catchUp);
        });
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

    private void store(SingletonTrigger trigger, Lease lease, Map<String, Instant> stored, CatchUp catchUp) {
        SlotKeys keys = trigger.keys();
        if (catchUp.isNewSchedule()) {
            note(lease, keys.since(trigger.schedule()), catchUp.upTo());
        }
        if (catchUp.tracksEnds() && !stored.containsKey(keys.done())) {
            note(lease, keys.done(), catchUp.initialMark());
        }
    }

    /** Stores what the next holder needs to tell what it owes; tries until it is stored, or the grant is over. */
    private void note(Lease lease, String key, Instant time) {
        register.store(lease, key, time).whenComplete((result, failed) -> {
            if (failed != null) {
                LOG.debug("Lease '{}': could not store {} yet", elector.name(), key, failed);
                scheduler.timer().schedule(() -> noteAgain(lease, key, time), RETRY_NANOS);
            }
        });
    }

    private void noteAgain(Lease lease, String key, Instant time) {
        if (elector.lease().filter(lease::equals).isPresent()) {
            note(lease, key, time);
        }
    }

    /** Has the scheduler fire for the next slot that waits. */
    private void fireNext(SingletonTrigger trigger) {
        entrance.grant().ifPresent(lease -> trigger.next(lease).ifPresent(slot -> fire(trigger, lease, slot)));
    }

    private void fire(SingletonTrigger trigger, Lease lease, Instant slot) {
        try {
            scheduler.catchUp().fire(trigger.trigger(), trigger.job(), slot);
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

    /** Nodes that share a job store fire for one another, and the others' fires are vetoed there; so the holder looks for them. */
    private void sweep(Lease lease) {
        if (!entrance.isOpenFor(lease)) {
            sweptFor.compareAndSet(lease, null);
            return;
        }
        for (SingletonTrigger trigger : triggers.values()) {
            if (!scheduler.isPaused(trigger.trigger().getKey())) {
                trigger.sweep(now());
                fireNext(trigger);
            }
        }
        scheduler.timer().schedule(() -> sweep(lease), RETRY_NANOS);
    }
}
