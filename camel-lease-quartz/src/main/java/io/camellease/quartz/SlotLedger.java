/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Instant;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots that one trigger owes under one grant: those that wait, in which order they begin, and which have not ended. Pure;
 * not thread-safe.
 *
 * <p>Slots are reserved one at a time and in order, since the store refuses one that is earlier than another.
 */
final class SlotLedger {

    /** What becomes of a fire. */
    enum Turn {
        /** The slot was begun, or given up. */
        OVER,
        /** Others come first; it is fired again when they have begun. */
        LATER,
        /** Its turn: reserve it, and say what came of it. */
        RESERVE,
        /** Its turn: it was reserved under an earlier grant. */
        RECOVER,
        /** Its turn: it was reserved under this grant, and has not run. */
        AGAIN
    }

    private final NavigableSet<Instant> recovering = new TreeSet<>();
    private final NavigableSet<Instant> again = new TreeSet<>();
    private final NavigableSet<Instant> waiting = new TreeSet<>();
    private final NavigableSet<Instant> unfinished = new TreeSet<>();
    private Instant upTo;
    private Instant reserved;
    private @Nullable Instant reserving;
    private @Nullable Instant fired;

    /** Whether slots before the next one to be reserved will not be run, and no low-water mark says so. */
    private boolean hasGap = true;

    SlotLedger(CatchUp catchUp) {
        this.upTo = catchUp.upTo();
        this.reserved = catchUp.reserved();
        recovering.addAll(catchUp.recovering());
        unfinished.addAll(catchUp.recovering());
        waiting.addAll(catchUp.missed());
    }

    /** Every slot up to here is known: it waits, was begun or was given up. */
    Instant upTo() {
        return upTo;
    }

    /** The latest slot that was reserved, under whatever grant. */
    Instant reserved() {
        return reserved;
    }

    /** More slots are owed, and all others up to an instant are not. */
    void owe(Collection<Instant> slots, Instant newUpTo) {
        slots.stream().filter(slot -> slot.isAfter(upTo)).forEach(waiting::add);
        upTo = CatchUp.later(upTo, newUpTo);
        while (waiting.size() > CatchUp.MOST) {
            waiting.pollFirst();
        }
    }

    /** The trigger was replaced, by one of other times or by its equal; what was fired for it may have gone with it. */
    void replaced(boolean isOther, Instant since) {
        fired = null;
        if (isOther) {
            giveUp();
            upTo = CatchUp.later(upTo, since);
        }
    }

    /** Some slots that nobody reserved are not owed, and never will be. */
    void dropped() {
        hasGap = true;
    }

    /** Nothing that has not begun is owed any more. */
    private void giveUp() {
        dropped();
        unfinished.removeAll(recovering);
        unfinished.removeAll(again);
        waiting.clear();
        recovering.clear();
        again.clear();
    }

    /** The trigger fires for that slot, which is known. */
    Turn arrive(Instant slot) {
        if (slot.equals(fired)) {
            fired = null;
        }
        if (recovering.remove(slot)) {
            return Turn.RECOVER;
        }
        if (again.remove(slot)) {
            return Turn.AGAIN;
        }
        if (!waiting.contains(slot)) {
            return Turn.OVER;
        }
        if (reserving != null || !recovering.isEmpty() || !again.isEmpty() || !slot.equals(waiting.first())) {
            return Turn.LATER;
        }
        reserving = slot;
        return Turn.RESERVE;
    }

    /**
     * The low-water mark to be stored before the slot is reserved, if there is a gap before it: else those in the gap would look
     * as if they had been cut off. While others run it cannot be; when they have ended it is {@link #done}.
     */
    Optional<Instant> markBefore(Instant slot) {
        return hasGap && unfinished.isEmpty() ? Optional.of(slot.minusMillis(1)) : Optional.empty();
    }

    /** The slot that was to be reserved is, and begins. */
    void begun(Instant slot) {
        hasGap &= !unfinished.isEmpty();
        reserving = null;
        waiting.remove(slot);
        unfinished.add(slot);
        reserved = slot.isAfter(reserved) ? slot : reserved;
    }

    /**
     * The slot that was to be reserved cannot be. If that is because this node's clock is ahead, it is still to come, and so are
     * the slots after it.
     */
    void refused(Instant slot) {
        reserving = null;
        waiting.tailSet(slot, true).clear();
        upTo = upTo.isBefore(slot) ? upTo : slot.minusMillis(1);
    }

    /** Whether the slot was reserved is unknown, or it could not begin after all: it is tried again. */
    void tryAgain() {
        reserving = null;
    }

    /** The job was kept from running after its slot had begun: it can still run under this grant. */
    void notLetIn(Instant slot, boolean isRepeat) {
        if (unfinished.contains(slot)) {
            (isRepeat ? recovering : again).add(slot);
        }
    }

    /** The run for that slot has ended. */
    void ended(Instant slot) {
        unfinished.remove(slot);
    }

    /** The slot to fire for next, if nobody is at it; it is not named again before it has arrived. */
    Optional<Instant> next() {
        if (reserving != null || fired != null) {
            return Optional.empty();
        }
        fired = Stream.of(recovering, again, waiting)
                .filter(slots -> !slots.isEmpty())
                .findFirst()
                .map(NavigableSet::first)
                .orElse(null);
        return Optional.ofNullable(fired);
    }

    /** Whether a slot is to be begun, or a fire for one is on its way. */
    boolean isOwing() {
        return fired != null || !recovering.isEmpty() || !again.isEmpty() || !waiting.isEmpty();
    }

    /** The fire for {@link #next} did not arrive and will not. */
    void notFired(Instant slot) {
        if (slot.equals(fired)) {
            fired = null;
        }
    }

    /** Fires again if it is still the same slot that did not arrive; the slot that has not, if any. */
    @Nullable
    Instant retryIf(@Nullable Instant before) {
        if (fired != null && fired.equals(before)) {
            fired = null;
        }
        return fired;
    }

    /** All reserved slots up to here have ended. */
    Instant done() {
        return unfinished.isEmpty() ? reserved : unfinished.first().minusMillis(1);
    }
}
