/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.BitSet;

/** Numbers the faults of one run in their order, and leaves some of them out. Not thread-safe. */
final class FaultMask {

    private final BitSet leftOut;
    private int faults;

    FaultMask(BitSet leftOut) {
        this.leftOut = leftOut;
    }

    /** Whether the next fault happens. */
    boolean strikes() {
        return !leftOut.get(faults++);
    }

    /** How many there have been, with those that were left out. */
    int faults() {
        return faults;
    }

    /** How many have happened. */
    int struck() {
        return faults - leftOut.get(0, faults).cardinality();
    }
}
