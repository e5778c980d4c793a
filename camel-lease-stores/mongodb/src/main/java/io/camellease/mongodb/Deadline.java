/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoTimeoutException;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.time.Duration;

/** When one operation must have answered or thrown (rule S9). Immutable. */
final class Deadline {

    private final Ticker ticker;
    private final Moment start;
    private final Duration limit;

    private Deadline(Ticker ticker, Duration limit) {
        this.ticker = ticker;
        this.start = ticker.now();
        this.limit = limit;
    }

    /** A deadline that far from now. */
    static Deadline in(Duration limit) {
        return new Deadline(Ticker.system(), limit);
    }

    /**
     * What is left, at least one millisecond: to the driver, zero means without limit.
     *
     * @throws MongoTimeoutException if nothing is left
     */
    long remainingMillis() {
        long left = limit.minusNanos(ticker.now().nanosSince(start)).toMillis();
        if (left < 1) {
            throw new MongoTimeoutException("the operation has taken longer than " + limit.toMillis() + " ms");
        }
        return left;
    }
}
