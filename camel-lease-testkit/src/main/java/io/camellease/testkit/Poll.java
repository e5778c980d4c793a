/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what only real time can bring about. Thread-safe. */
final class Poll {

    private static final Ticker TICKER = Ticker.system();
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private Poll() {}

    /**
     * Returns as soon as the condition holds.
     *
     * @param what is waited for, for the message
     * @throws AssertionError if the condition does not hold within the limit
     */
    static void until(String what, Duration limit, BooleanSupplier condition) {
        Moment start = TICKER.now();
        while (!condition.getAsBoolean()) {
            if (TICKER.now().nanosSince(start) > limit.toNanos()) {
                throw new AssertionError("not within " + limit + ": " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
