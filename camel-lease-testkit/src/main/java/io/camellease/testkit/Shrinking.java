/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.BitSet;
import java.util.function.Function;

/**
 * Looks for fewer faults with which the same run violates the same invariant, by leaving out halves, quarters and so on, down to
 * single ones. Not thread-safe.
 */
final class Shrinking {

    /** More would only make people wait. */
    private static final int MAX_RUNS = 400;

    private final Function<BitSet, ClusterSimulation> simulations;
    private SimulationFailure best;
    private BitSet leftOut = new BitSet();
    private int runs;

    private Shrinking(Function<BitSet, ClusterSimulation> simulations, SimulationFailure first) {
        this.simulations = simulations;
        this.best = first;
    }

    /**
     * Returns the failure of the run with the fewest faults that was found.
     *
     * @param simulations makes the run without the faults of the given numbers
     * @param first the failure of the run with all of them
     */
    static SimulationFailure shrink(Function<BitSet, ClusterSimulation> simulations, SimulationFailure first) {
        return new Shrinking(simulations, first).shrink();
    }

    private SimulationFailure shrink() {
        for (int size = best.faults(); size > 0; size /= 2) {
            for (int from = 0; from < best.faults(); from += size) {
                tryWithout(from, from + size);
            }
        }
        return best;
    }

    private void tryWithout(int from, int to) {
        BitSet without = (BitSet) leftOut.clone();
        without.set(from, to);
        if (without.cardinality() == leftOut.cardinality() || runs++ >= MAX_RUNS) {
            return;
        }
        try {
            simulations.apply(without).run();
        } catch (SimulationFailure failure) {
            if (failure.invariant().equals(best.invariant())) {
                best = failure;
                leftOut = without;
            }
        }
    }
}
