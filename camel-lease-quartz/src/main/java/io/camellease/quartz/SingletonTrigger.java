/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One trigger of a singleton job on this node: its schedule, and the slots it owes under the current grant. Thread-safe. */
final class SingletonTrigger {

    private static final Logger LOG = LoggerFactory.getLogger(SingletonTrigger.class);

    /** A fire that comes later than this was missed, as after a pause of the process. */
    static final Duration LATE = Duration.ofSeconds(5);

    private static final Duration SWEEP_GRACE = Duration.ofSeconds(1);

    /** What a trigger is, as it was last seen. */
    private record Definition(Trigger trigger, JobDetail job, Schedule schedule) {}

    private final SlotKeys keys;
    private final SlotOptions options;
    private final Object lock = new Object();
    private volatile Definition definition;
    private volatile boolean isRemoved;

    /** Guarded by the lock. */
    private @Nullable SlotLedger ledger;

    /** Guarded by the lock. */
    private @Nullable Lease openFor;

    /** Guarded by the lock: for which slot the last sweep found a fire under way. */
    private @Nullable Instant unfired;

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

    /** The trigger was removed: nothing is owed any more. */
    void remove() {
        isRemoved = true;
        synchronized (lock) {
            if (ledger != null) {
                ledger.giveUp();
            }
        }
    }

    boolean isRemoved() {
        return isRemoved;
    }

    /** There is a trigger of that key again, or another one; one with other times owes none from before. */
    void replace(Trigger trigger, JobDetail job, Schedule schedule, Instant now) {
        boolean isOther = !schedule().fingerprint().equals(schedule.fingerprint());
        redefine(trigger, job, schedule);
        isRemoved = false;
        if (isOther) {
            owe(List.of(), now);
        }
    }

    /** The trigger was moved by a misfire. */
    void redefine(Trigger trigger, JobDetail job, Schedule schedule) {
        definition = new Definition(trigger, job, schedule);
    }

    /**
     * A grant begins.
     *
     * @return what to store and to tell; empty if the grant is known already, and what was missed within it is now owed
     */
    Optional<CatchUp> open(Lease lease, Map<String, Instant> stored, Instant now) {
        if (isOpenFor(lease)) {
            fallBehind(now);
            return Optional.empty();
        }
        CatchUp catchUp = CatchUp.atGrant(keys, stored, schedule(), options, now);
        synchronized (lock) {
            ledger = new SlotLedger(catchUp);
            openFor = lease;
        }
        return Optional.of(catchUp);
    }

    private boolean isOpenFor(Lease lease) {
        synchronized (lock) {
            return lease.equals(openFor);
        }
    }

    /** Everything up to now that was not begun was missed. */
    void fallBehind(Instant now) {
        Instant since = upTo();
        if (!since.isBefore(now)) {
            return;
        }
        List<Instant> owed = schedule().between(later(since, now.minus(options.missedFireLimit())), now, CatchUp.MOST);
        if (!owed.isEmpty()) {
            List<Instant> selected = CatchUp.select(owed, options.missedFires());
            LOG.info(
                    "Trigger {}: {} fires since {} are late; missedFires={}: {} of them run now",
                    trigger().getKey(),
                    owed.size(),
                    owed.get(0),
                    options.missedFires(),
                    selected.size());
            owe(selected, now);
        }
    }

    /** Slots that are due for a while and were not fired here are owed; one that was fired for and did not arrive is again. */
    void sweep(Instant now) {
        Instant due = now.minus(SWEEP_GRACE);
        if (!upTo().isBefore(due)) {
            unfiredAgain();
            return;
        }
        List<Instant> owed = schedule().between(upTo(), due, CatchUp.MOST);
        if (!owed.isEmpty() && owed.get(0).isBefore(now.minus(LATE))) {
            fallBehind(due);
        } else {
            owe(owed, due);
        }
        unfiredAgain();
    }

    private void unfiredAgain() {
        synchronized (lock) {
            if (ledger != null) {
                unfired = ledger.retryIf(unfired);
            }
        }
    }

    /** The trigger fires for one of its slots. */
    SlotLedger.Turn arrive(Lease lease, Instant slot, boolean isCatchUp, Instant now) {
        if (!isCatchUp && slot.isAfter(upTo())) {
            if (slot.isBefore(now.minus(LATE))) {
                fallBehind(now);
            } else {
                // fires of one trigger run on several threads, so this one may have overtaken another
                List<Instant> due = new ArrayList<>(schedule().shortlyBefore(slot, later(upTo(), now.minus(LATE))));
                due.add(slot);
                owe(due, slot);
            }
        }
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null ? SlotLedger.Turn.LATER : known.arrive(slot);
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
            return known == null ? Optional.empty() : known.next();
        }
    }

    /** The low-water mark after a run of that grant has ended. */
    Optional<Instant> done(Lease lease) {
        synchronized (lock) {
            SlotLedger known = ledgerOf(lease);
            return known == null ? Optional.empty() : Optional.of(known.done());
        }
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
