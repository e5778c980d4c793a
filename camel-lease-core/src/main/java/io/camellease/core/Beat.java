/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * When a process looks at records it waits for: once in each claim interval, all at once. What brings processes into step, such as
 * a lease that expires for all of them or a store that answers again, does so for one look only. Pure.
 *
 * @param intervalNanos the claim interval
 * @param phaseNanos what the process has of its own, in [0, intervalNanos)
 * @param wanders whether the instant is another one each time, or always that phase of the interval
 */
record Beat(long intervalNanos, long phaseNanos, boolean wanders) {

    /** That of a process which waits for a holder to go; its holder id is unique. */
    static Beat steady(HolderId holder, LeaseSettings settings) {
        return of(holder, settings, false);
    }

    /**
     * That of a process which waits for what is given back and taken again: whoever does so at the same pace would be met at the
     * same instant of its own each time, and may have it then.
     */
    static Beat wandering(HolderId holder, LeaseSettings settings) {
        return of(holder, settings, true);
    }

    private static Beat of(HolderId holder, LeaseSettings settings, boolean wanders) {
        long interval = settings.claimInterval().toNanos();
        return new Beat(interval, (long) (interval * spread(holder.value().hashCode())), wanders);
    }

    /** From now to the next look: more than nothing, one claim interval at most; at least half of it if it wanders. */
    long next(Moment now) {
        return wanders
                ? intervalNanos - (long) (0.5 * intervalNanos * spread(now.nanos() ^ phaseNanos))
                : intervalNanos - Math.floorMod(now.nanos() - phaseNanos, intervalNanos);
    }

    /** In [0, 1), spread evenly, the same for the same number. */
    static double spread(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
