/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One trigger of a singleton job on this node: its schedule, and the slots it owes under the current grant. Thread-safe. */
final class SingletonTrigger {

    private static final Logger LOG = LoggerFactory.getLogger(SingletonTrigger.class);

    /** A fire that comes later than this was missed, as after a pause of the process. */
    static final Duration LATE = Duration.ofSeconds(5);

    /** How long after its time a fire may be on its way. */
    static final Duration GRACE = Duration.ofSeconds(1);

    /** What a trigger is, as it was last seen. */
    private record Definition(Trigger trigger, JobDetail job, Schedule schedule) {}

    /** That it was put there, or came to have other times, under a grant. */
    private record Addition(Lease lease, Instant since) {}

    private final SlotKeys keys;
    private final SlotOptions options;
    private final Object lock = new Object();
    private volatile Definition definition;
    private volatile @Nullable Addition addition;
    private volatile boolean isRemoved;
    private volatile @Nullable TriggerKey firedBy;

    /** Guarded by the lock. */
    private @Nullable SlotLedger ledger;

    /** Guarded by the lock. */
    private @Nullable Lease openFor;

    /** Guarded by the lock: for which slot the last look found that a fire was not on its way. */
    private @Nullable Instant unfired;

    /** Guarded by the lock. */
    private final NextDue nextDue = new NextDue();

    SingletonTrigger(Trigger trigger, JobDetail job, Schedule schedule, SlotKeys keys, SlotOptions options) {
        this.definition = new Definition(trigger, job, schedule);
        this.keys = keys;
        this.options = options;
    }

    Trigger trigger() {
        return definition.trigger();
    }

    JobDetail job() {
        return definition.job();
    }

    Schedule schedule() {
        return definition.schedule();
    }

    SlotKeys keys() {
        return keys;
    }

    /** The trigger was removed: nothing is run for it any more, unless its equal takes its place. */
    void remove() {
        isRemoved = true;
    }

    boolean isRemoved() {
        return isRemoved;
    }

    /**
     * There is a trigger of that key again, or another one; one with other times owes none from before.
     *
     * @param since when it was put there
     */
    void replace(Trigger trigger, JobDetail job, Schedule schedule, Instant since) {
        boolean isOther = !schedule().fingerprint().equals(schedule.fingerprint());
        redefine(trigger, job, schedule);
        synchronized (lock) {
            isRemoved = false;
            if (ledger != null) {
                ledger.replaced(isOther, since);
            }
        }
    }

    /** The trigger was moved by a misfire. */
    void redefine(Trigger trigger, JobDetail job, Schedule schedule) {
        synchronized (lock) {
            definition = new Definition(trigger, job, schedule);
        }
    }

    /** The times that it leaves out are these now. */
    void leaveOut(@Nullable Calendar calendar) {
        synchronized (lock) {
            definition = new Definition(trigger(), job(), schedule().with(calendar));
        }
    }

    /**
     * A grant begins, or goes on after a while in which nothing could begin.
     *
     * @param openedAt when it began; what fell due since then was not missed
     * @return what to store and to tell; empty if the grant is known already
     */
    Optional<CatchUp> open(Lease lease, Map<String, Instant> stored, Instant openedAt, Instant now) {
        Optional<CatchUp> begun = Optional.empty();
        if (!isOpenFor(lease)) {
            CatchUp catchUp = CatchUp.atGrant(keys, stored, schedule(), options, openedAt);
            synchronized (lock) {
                ledger = new SlotLedger(catchUp);
                openFor = lease;
            }
            begun = Optional.of(catchUp);
        }
        lookUpTo(now);
        return begun;
    }

    /** It was put there, or came to have other times, while that grant was there already. */
    void addedUnder(Lease lease, Instant since) {
        addition = new Addition(lease, since);
    }

    /** Since when its slots count under a grant, which was opened for it at some time or other. */
    Instant countsSince(Lease lease, Instant openedAt) {
        Addition known = addition;
        return known != null && known.lease().equals(lease) && known.since().isBefore(openedAt)
                ? known.since()
                : openedAt;
    }

    boolean isOpenFor(Lease lease) {
        synchronized (lock) {
            return lease.equals(openFor);
        }
    }

    /** Looks which slots have fallen due. */
    void lookUpTo(Instant now) {
        lookUpTo(now, now);
    }

    /** Slots that nobody looked at are owed; if one is late, something went wrong, and only those that are to be run in spite of it. */
    private void lookUpTo(Instant end, Instant now) {
        Instant since = upTo();
        if (!since.isBefore(end)) {
            return;
        }
        Instant oldest = now.minus(options.missedFireLimit());
        List<Instant> owed = schedule().between(CatchUp.later(since, oldest), end, CatchUp.MOST);
        if (since.isBefore(oldest)) {
            dropped();
            tellTooOld(since, oldest);
        }
        if (owed.isEmpty() || !owed.get(0).isBefore(now.minus(LATE))) {
            owe(owed, end);
            return;
        }
        List<Instant> selected = stillRun(owed, now);
        LOG.info(
                "Trigger {}: {} fires since {} are late; missedFires={}: {} of them run now",
                trigger().getKey(),
                owed.size(),
                owed.get(0),
                options.missedFires(),
                selected.size());
        if (selected.size() < owed.size()) {
            dropped();
        }
        owe(selected, end);
    }

    private void tellTooOld(Instant since, Instant oldest) {
        schedule()
                .first(since, oldest)
                .ifPresent(slot -> LOG.info(
                        "Trigger {}: {} is older than missedFireLimit={}, so it does not run, nor do others that are",
                        trigger().getKey(),
                        slot,
                        options.missedFireLimit()));
    }

    private List<Instant> stillRun(List<Instant> owed, Instant now) {
        return options.missedFires() == MissedFires.SKIP
                ? owed.stream().filter(slot -> !slot.isBefore(now.minus(LATE))).toList()
                : CatchUp.select(owed, options.missedFires());
    }

    private void dropped() {
        synchronized (lock) {
            if (ledger != null) {
                ledger.dropped();
            }
        }
    }

    /** It was fired for {@link #next} by that trigger. */
    void firedBy(TriggerKey catchUpTrigger) {
        firedBy = catchUpTrigger;
    }

    /** Whether a slot that nobody looked at fell due by then. */
    boolean isDue(Instant end) {
        synchronized (lock) {
            return nextDue.isBy(schedule(), upTo(), end);
        }
    }

    /** Whether a slot is to be begun, or a fire for one is on its way. */
    boolean isOwing() {
        synchronized (lock) {
            return ledger != null && ledger.isOwing();
        }
    }

    /** Slots that are due for a while and were not fired here are owed. */
    void lookForOverlooked(Instant now) {
        Instant end = now.minus(GRACE);
        lookUpTo(end, now);
        synchronized (lock) {
            nextDue.looked(end);
        }
    }

    /**
     * A slot that was fired for and did not arrive is to be fired for again.
     *
     * @param isToFire whether a trigger that was made to catch up is still to fire, as while another run is waited for
     * @return the trigger that was to fire and will not
     */
    Optional<TriggerKey> superviseFire(Predicate<TriggerKey> isToFire) {
        TriggerKey awaited = firedBy;
        boolean isOnItsWay = awaited != null && isToFire.test(awaited);
        synchronized (lock) {
            if (ledger == null || isOnItsWay) {
                unfired = null;
                return Optional.empty();
            }
            Instant before = unfired;
            unfired = ledger.retryIf(before);
            return before != null && unfired == null ? Optional.ofNullable(awaited) : Optional.empty();
        }
    }

    /** The trigger fires for one of its slots. */
    SlotLedger.Turn arrive(Lease lease, Instant slot, boolean isCatchUp, Instant now) {
        if (!isCatchUp && slot.isAfter(upTo())) {
            lookUpToFire(slot, now);
        }
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null ? SlotLedger.Turn.LATER : known.arrive(slot);
        }
    }

    private void lookUpToFire(Instant slot, Instant now) {
        Instant late = now.minus(LATE);
        // Quartz passes over what it takes for misfires, so that others may be late though this one is not
        if (slot.isBefore(late) || !schedule().shortlyBefore(late, upTo()).isEmpty()) {
            lookUpTo(CatchUp.later(slot, now), now);
            return;
        }
        // fires of one trigger run on several threads, so this one may have overtaken another
        List<Instant> due = new ArrayList<>(schedule().shortlyBefore(slot, CatchUp.later(upTo(), late)));
        due.add(slot);
        owe(due, slot);
    }

    /** The fire for that slot did not run, and is not to be waited for. */
    void notFired(Instant slot) {
        synchronized (lock) {
            if (ledger != null) {
                ledger.notFired(slot);
            }
        }
    }

    /** Guarded by the lock. */
    private @Nullable SlotLedger ledgerOf(Lease lease) {
        return lease.equals(openFor) ? ledger : null;
    }

    private void owe(List<Instant> slots, Instant upTo) {
        synchronized (lock) {
            if (ledger != null) {
                ledger.owe(slots, upTo);
            }
        }
    }

    private Instant upTo() {
        synchronized (lock) {
            return ledger == null ? Instant.MAX : ledger.upTo();
        }
    }

    /** Changes the ledger of that grant; does nothing if the grant is over. */
    void change(Lease lease, Consumer<SlotLedger> step) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            if (known != null) {
                step.accept(known);
            }
        }
    }

    /** The slot to fire for next under that grant. */
    Optional<Instant> next(Lease lease) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null || isRemoved ? Optional.empty() : known.next();
        }
    }

    /** The latest slot that was reserved, if by this node's clock it is still to come: then that clock is behind. */
    Optional<Instant> reservedAhead(Lease lease, Instant now) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return Optional.ofNullable(known)
                    .map(SlotLedger::reserved)
                    .filter(slot -> slot.isAfter(now.plus(LeaseStore.MAX_SLOT_AHEAD)));
        }
    }

    /** See {@link SlotLedger#markBefore}. */
    Optional<Instant> markBefore(Lease lease, Instant slot) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null ? Optional.empty() : known.markBefore(slot);
        }
    }

    /** The low-water mark after a run of that grant has ended. */
    Optional<Instant> done(Lease lease) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null ? Optional.empty() : Optional.of(known.done());
        }
    }
}
