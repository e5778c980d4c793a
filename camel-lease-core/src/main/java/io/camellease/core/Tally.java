/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts what an elector asks of its store, and what comes of it. Thread-safe. */
final class Tally {

    private final LongAdder granted = new LongAdder();
    private final LongAdder heldByOther = new LongAdder();
    private final LongAdder spent = new LongAdder();
    private final LongAdder claimsFailed = new LongAdder();
    private final LongAdder renewed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder renewalsFailed = new LongAdder();
    private final LongAdder renewingNanos = new LongAdder();

    void claimed(ClaimResult result) {
        if (result instanceof ClaimResult.Granted) {
            granted.increment();
        } else if (result instanceof ClaimResult.HeldByOther) {
            heldByOther.increment();
        } else {
            spent.increment();
        }
    }

    void claimFailed() {
        claimsFailed.increment();
    }

    void renewed(RenewResult result, long tookNanos) {
        renewingNanos.add(tookNanos);
        switch (result) {
            case RENEWED -> renewed.increment();
            case LOST -> refused.increment();
            case STALE -> stale.increment();
        }
    }

    void renewalFailed() {
        renewalsFailed.increment();
    }

    LeaseCounts counts() {
        return new LeaseCounts(
                granted.sum(),
                heldByOther.sum(),
                spent.sum(),
                claimsFailed.sum(),
                renewed.sum(),
                refused.sum(),
                stale.sum(),
                renewalsFailed.sum(),
                Duration.ofNanos(renewingNanos.sum()));
    }
}
