/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import org.jspecify.annotations.Nullable;

/** One acquisition from the first send of its claim until its outcome is known. Pure; confined to the timer thread. */
final class Acquisition {

    private final Claim claim;
    private final LeaseSettings settings;
    private final Pace pace;

    private @Nullable Moment firstSentAt;
    private boolean inFlight = true;
    private int failures;
    private long retryAtNanos;

    Acquisition(Claim claim, LeaseSettings settings) {
        this.claim = claim;
        this.settings = settings;
        this.pace = new Pace(settings);
    }

    Claim claim() {
        return claim;
    }

    /** From when on a grant counts that answers a send at the given instant: the store may have made it at the first send. */
    Moment countsFrom(Moment sentAt) {
        return firstSentAt == null ? sentAt : firstSentAt;
    }

    /** The outcome of a send at the given instant is unknown. */
    void failed(Moment sentAt, Moment now) {
        firstSentAt = countsFrom(sentAt);
        inFlight = false;
        failures++;
        retryAtNanos = now.nanos() + pace.retry(failures);
    }

    /** Whether a grant of the first send would be past U by now. */
    boolean isTooLate(Moment now) {
        return !inFlight && firstSentAt != null && now.nanosSince(firstSentAt) >= settings.usableNanos();
    }

    boolean isRetryDue(Moment now) {
        return !inFlight && retryAtNanos - now.nanos() <= 0;
    }

    void sentAgain() {
        inFlight = true;
    }

    boolean isInFlight() {
        return inFlight;
    }

    /** Whether the first send has no outcome yet: if it is given up now, its answer says whether anything is to be undone. */
    boolean isFirstSendInFlight() {
        return inFlight && firstSentAt == null;
    }

    long retryAtNanos() {
        return retryAtNanos;
    }
}
