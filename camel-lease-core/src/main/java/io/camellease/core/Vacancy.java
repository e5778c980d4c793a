/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Since when a lease has had no holder, as far as one candidate can know. Pure; confined to the timer thread. */
final class Vacancy {

    private @Nullable LeaseRecord held;
    private @Nullable Moment heldUntil;
    private @Nullable LeaseRecord free;
    private @Nullable Moment since;
    private boolean expired;
    private int floor;

    /**
     * The record as the store showed it now.
     *
     * @param isStuck whether it may be taken although it seems to be held
     */
    void saw(LeaseRecord record, boolean isStuck, Moment now) {
        if (record.isHeld() && !isStuck) {
            held = record;
            heldUntil = now.plusNanos(
                    shorter(record.remaining(), LeaseSettings.MAX_TTL).toNanos());
            end();
        } else if (free == null || free.token() != record.token()) {
            expired = isEndOf(held, record);
            since = expired ? earlier(heldUntil, now) : now;
            free = record;
            floor = -1;
        }
    }

    /** Whether the grant that was seen before has run out by itself, unchanged. */
    private static boolean isEndOf(@Nullable LeaseRecord held, LeaseRecord record) {
        return held != null && held.token() == record.token() && !record.released();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Moment earlier(@Nullable Moment end, Moment now) {
        return end == null || end.nanosSince(now) > 0 ? now : end;
    }

    /** A look has failed: when the grant that was seen last ended cannot be known any more. */
    void lostSight() {
        held = null;
        heldUntil = null;
    }

    /** This node was granted the lease, or does not want it any more: what it saw before is of no use. */
    void forget() {
        lostSight();
        end();
    }

    private void end() {
        free = null;
        since = null;
        expired = false;
    }

    /**
     * From when on the turn of a node is counted: no earlier than the end of the last grant.
     *
     * @throws IllegalStateException if somebody holds the lease
     */
    Moment since() {
        if (since == null) {
            throw new IllegalStateException("the lease is held");
        }
        return since;
    }

    /** Whether a grant that was seen to be held has run out: whoever had it is dead, frozen or cut off. */
    boolean isExpired() {
        return expired;
    }

    /** Who held the lease before the eyes of this node; empty if it never saw anyone hold it. */
    Optional<HolderId> heldBy() {
        return held == null ? Optional.empty() : held.holder();
    }

    /** Whose the latest grant was; empty if there never was one. */
    Optional<HolderId> lastHolder() {
        return free == null ? Optional.empty() : free.holder();
    }

    /**
     * How many leases a node had when this one became vacant, from which its turn is counted.
     *
     * @param now what is remembered if this is asked for the first time
     */
    int floor(int now) {
        if (floor < 0) {
            floor = now;
        }
        return floor;
    }
}
