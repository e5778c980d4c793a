/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a holder may rely on its grant, as any thread can compute it: immutable, no I/O, no lock.
 *
 * <p>Elapsed time is the larger of what the monotonic and the wall clock counted since the send of the newest success: the
 * first stands still on a suspended host, the second is right there. Only the wall clock saying "over" is a suspicion:
 * nothing begins until a renewal that was sent after it succeeds.
 *
 * @param lease the grant
 * @param sentAt when the newest successful claim or renewal was sent
 * @param usableNanos from sentAt to U
 * @param validNanos from sentAt to E
 * @param suspectedAt the newest suspicion, or null if there never was one
 */
record Validity(
        Lease lease,
        Moment sentAt,
        long usableNanos,
        long validNanos,
        @Nullable Moment suspectedAt) {

    enum Verdict {
        OPEN,
        SUSPECT,
        CLOSED
    }

    Verdict at(Moment now) {
        if (now.nanosSince(sentAt) >= usableNanos) {
            return Verdict.CLOSED;
        }
        boolean suspect = now.wallNanosSince(sentAt) >= usableNanos || isUnderSuspicion();
        return suspect ? Verdict.SUSPECT : Verdict.OPEN;
    }

    /** Whether the newest suspicion has not been lifted yet. */
    boolean isUnderSuspicion() {
        return suspectedAt != null && isUnderSuspicionSince(suspectedAt);
    }

    /** Whether a suspicion that was raised at the given instant has not been lifted by a success that was sent later. */
    boolean isUnderSuspicionSince(Moment suspicion) {
        return suspicion.nanosSince(sentAt) >= 0;
    }

    boolean isOver(Moment now) {
        return now.nanosSince(sentAt) >= validNanos;
    }

    /** How long work may still begin unless a renewal succeeds; zero if it may not. */
    Duration untilSuspension(Moment now) {
        return at(now) == Verdict.OPEN ? Duration.ofNanos(usableNanos - now.nanosSince(sentAt)) : Duration.ZERO;
    }

    /** How long the grant lasts unless a renewal succeeds; zero if it is over. */
    Duration untilEnd(Moment now) {
        return Duration.ofNanos(Math.max(0, validNanos - now.nanosSince(sentAt)));
    }

    Validity renewed(Moment newSentAt) {
        return new Validity(lease, newSentAt, usableNanos, validNanos, suspectedAt);
    }

    Validity suspected(Moment now) {
        // two threads may report in the wrong order, and the later suspicion is the one that must be lifted
        Moment before = suspectedAt;
        Moment newest = before != null && before.nanosSince(now) > 0 ? before : now;
        return new Validity(lease, sentAt, usableNanos, validNanos, newest);
    }

    Optional<Pass> pass(Moment now) {
        return at(now) == Verdict.OPEN ? Optional.of(new Pass(lease, now)) : Optional.empty();
    }
}
