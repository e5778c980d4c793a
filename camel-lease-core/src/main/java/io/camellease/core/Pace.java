/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** How soon to try again. Pure. */
final class Pace {

    private static final int MAX_DOUBLINGS = 2;
    private static final int MAX_PATIENCE = 10;

    private final long claimIntervalNanos;
    private final long renewIntervalNanos;

    Pace(LeaseSettings settings) {
        claimIntervalNanos = settings.claimInterval().toNanos();
        renewIntervalNanos = settings.renewInterval().toNanos();
    }

    /** From the send of a renewal to the next: R, 0 to 10 % sooner, the same for all that were sent together. */
    long nextRenewal(Moment sentAt) {
        return renewIntervalNanos - (long) (renewIntervalNanos * 0.1 * Beat.spread(sentAt.nanos()));
    }

    /** After the n-th failed renewal or claim in a row: K/4, K/2, then K. */
    long retry(int failures) {
        return claimIntervalNanos >> Math.max(0, MAX_DOUBLINGS - Math.max(0, failures - 1));
    }

    /** After the n-th look that was refused for a reason a person must mend: K, 2K, 4K, 8K, then 10K. */
    long refused(int failures) {
        return claimIntervalNanos * Math.min(MAX_PATIENCE, 1L << Math.min(failures - 1, 4));
    }
}
