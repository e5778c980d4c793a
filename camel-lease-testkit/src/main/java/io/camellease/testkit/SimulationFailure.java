/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

/** A simulation broke an invariant. The message says which, with the seed and the end of the trace. */
public final class SimulationFailure extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final String invariant;
    private final int faults;

    SimulationFailure(String invariant, int faults, String message) {
        super(message);
        this.invariant = invariant;
        this.faults = faults;
    }

    /** How many faults had been drawn by then, with those that were left out. */
    int faults() {
        return faults;
    }

    /** The invariant that was broken, in words. */
    public String invariant() {
        return invariant;
    }
}
