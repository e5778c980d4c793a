/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * When a process looks at records it waits for: once in each claim interval, all at once, and each process at an instant of its
 * own. What brings processes into step, such as a lease that expires for all of them or a store that answers again, does so for one
 * look only. Pure.
 *
 * @param intervalNanos the claim interval
 * @param phaseNanos when in the interval
 */
record Beat(long intervalNanos, long phaseNanos) {

    /** That of a process; its holder id is unique. */
    static Beat of(HolderId holder, LeaseSettings settings) {
        long interval = settings.claimInterval().toNanos();
        return new Beat(interval, (long) (interval * spread(holder.value().hashCode())));
    }

    /** From now to the next look: more than nothing, one claim interval at most. */
    long next(Moment now) {
        return intervalNanos - Math.floorMod(now.nanos() - phaseNanos, intervalNanos);
    }

    /** In [0, 1), spread evenly, the same for the same number. */
    static double spread(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
