/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.concurrent.Executor;

/**
 * Where the parts of a {@link LeaseClient} run, and which clocks they read.
 *
 * @param ticker the clocks
 * @param timer decides; does no I/O and never blocks
 * @param renewals makes the renewals and releases
 * @param claims makes the looks and claims
 * @param events calls the listeners, one event at a time and in order
 */
public record LeaseThreads(Ticker ticker, LeaseTimer timer, StoreLane renewals, StoreLane claims, Executor events) {

    private static final int LATE = 2;

    /** Four daemon threads: {@code lease-timer}, {@code lease-store-renew}, {@code lease-store-claim}, {@code lease-events}. */
    public static LeaseThreads system(LeaseSettings settings) {
        return system("lease", settings);
    }

    /** Four daemon threads for {@link LeaseLocks}: as those of a client, but called {@code lease-lock-...}. */
    public static LeaseThreads forLocks(LeaseSettings settings) {
        return system("lease-lock", settings);
    }

    private static LeaseThreads system(String prefix, LeaseSettings settings) {
        LeaseTimer timer = LeaseTimer.thread(prefix + "-timer");
        long patience = settings.storeTimeout().toNanos() * LATE;
        return new LeaseThreads(
                Ticker.system(),
                timer,
                new StoreLaneThread(prefix + "-store-renew", timer, patience),
                new StoreLaneThread(prefix + "-store-claim", timer, patience),
                new EventThread(prefix + "-events"));
    }

    /** Ends all threads; of what listeners were not told yet they are told within half a second, if they are quick enough. */
    void close() {
        renewals.close();
        claims.close();
        timer.close();
        if (events instanceof EventThread thread) {
            thread.close();
        }
    }
}
