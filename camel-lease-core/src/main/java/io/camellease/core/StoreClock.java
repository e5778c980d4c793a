/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Watches the store's clock against this process's monotonic one, from the instants in the store's replies. A reply that was
 * sent for at s and received at r with the store's now n says that the offset lies in [n - r, n - s]. The clock moved if the
 * offset left the interval known so far, widened by the rate error since, by more than the band.
 *
 * <p>Pure; confined to the timer thread.
 */
final class StoreClock {

    // the store's clock may be 1 % fast and this one 1 % slow: 1.01 / 0.99 is 1.0202
    private static final long RATE_ERROR_PER_MILLE = 21;

    private final long bandNanos;
    private long low;
    private long high;
    private @Nullable Moment knownAt;
    private @Nullable Moment movedAt;
    private boolean sure = true;

    StoreClock(long bandNanos) {
        this.bandNanos = bandNanos;
    }

    /** Returns whether this reply shows that the clock moved. */
    boolean read(Instant storeNow, Moment sentAt, Moment receivedAt) {
        long store = storeNow.getEpochSecond() * 1_000_000_000L + storeNow.getNano();
        long newLow = store - receivedAt.nanos();
        // the store's clock may be cut to whole milliseconds
        long newHigh = store + 1_000_000L - sentAt.nanos();
        Moment before = knownAt;
        if (before == null) {
            know(newLow, newHigh, receivedAt);
            return false;
        }
        long drift = Math.max(0, receivedAt.nanosSince(before)) / 1000 * RATE_ERROR_PER_MILLE;
        long oldLow = low - drift;
        long oldHigh = high + drift;
        // what is known from long ago is as good as nothing
        boolean knew = oldHigh - oldLow <= bandNanos;
        sure = newHigh - (knew ? oldLow : newLow) <= bandNanos;
        if (newLow - oldHigh > bandNanos || oldLow - newHigh > bandNanos) {
            sure = true;
            movedAt = receivedAt;
            know(newLow, newHigh, receivedAt);
            return true;
        }
        if (newLow <= oldHigh && oldLow <= newHigh) {
            know(Math.max(oldLow, newLow), Math.min(oldHigh, newHigh), receivedAt);
        }
        return false;
    }

    private void know(long newLow, long newHigh, Moment at) {
        low = newLow;
        high = newHigh;
        knownAt = at;
    }

    /**
     * Whether the last reply shows how far the clock can have gone ahead since the one before: the band at most, or as far as {@link
     * #movedAt} tells. A reply that took long may hide a step of as long.
     */
    boolean isSure() {
        return sure;
    }

    /** When the clock was last seen to have moved, or null. */
    @Nullable
    Moment movedAt() {
        return movedAt;
    }
}
