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
        boolean suspect = now.wallNanosSince(sentAt) >= usableNanos || isUnderSuspicion(suspectedAt);
        return suspect ? Verdict.SUSPECT : Verdict.OPEN;
    }

    boolean isUnderSuspicion(@Nullable Moment suspicion) {
        return suspicion != null && suspicion.nanosSince(sentAt) >= 0;
    }

    boolean isOver(Moment now) {
        return now.nanosSince(sentAt) >= validNanos;
    }

    Duration untilSuspension(Moment now) {
        return Duration.ofNanos(Math.max(0, usableNanos - now.nanosSince(sentAt)));
    }

    Validity renewed(Moment newSentAt) {
        return new Validity(lease, newSentAt, usableNanos, validNanos, suspectedAt);
    }

    Validity suspected(Moment now) {
        return new Validity(lease, sentAt, usableNanos, validNanos, now);
    }

    Optional<Pass> pass(Moment now) {
        return at(now) == Verdict.OPEN ? Optional.of(new Pass(lease, now)) : Optional.empty();
    }
}
