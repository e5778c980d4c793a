/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;

/**
 * How long the parts of a run take; all of it follows from the ttl and the number of files or messages.
 *
 * @param steady how long work flows undisturbed between two faults
 * @param expected from the first one handed in to the last, if all goes well
 * @param patience how long anything that must happen may take before the run is given up
 */
record Plan(Duration steady, Duration expected, Duration patience) {

    private static final Duration MIN_STEADY = Duration.ofSeconds(2);
    private static final Duration STARTS = Duration.ofSeconds(4);
    private static final Duration PATIENCE_BEYOND_TTL = Duration.ofSeconds(40);

    /** One takes 20 ms of work and some overhead; half as much again is left to catch up after a fault. */
    private static final Duration PER_ITEM = Duration.ofMillis(40);

    /** A plan for a run of so many steady parts, and harm that takes the given time in all. */
    static Plan of(int items, Duration ttl, int steadyParts, Duration harm) {
        Duration needed = PER_ITEM.multipliedBy(items).dividedBy(steadyParts);
        Duration steady = needed.compareTo(MIN_STEADY) > 0 ? needed : MIN_STEADY;
        Duration expected = steady.multipliedBy(steadyParts).plus(harm).plus(STARTS);
        return new Plan(steady, expected, ttl.multipliedBy(2).plus(PATIENCE_BEYOND_TTL));
    }

    /** When even a run in which much is slow must be over. */
    Duration limit() {
        return expected.plus(patience.multipliedBy(2));
    }
}
