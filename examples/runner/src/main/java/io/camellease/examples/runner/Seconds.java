/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as the runner prints them: in seconds, however short or long. */
final class Seconds {

    private Seconds() {}

    /** For example {@code 3 s} or {@code 0.13 s}, to the millisecond. */
    static String of(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
    }
}
