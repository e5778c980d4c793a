/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a simulation: equal seeds give equal answers to equal questions. Not thread-safe. */
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    /** For dice of their own of a part of the simulation. */
    long newSeed() {
        return random.nextLong();
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Evenly from the smaller to the larger, both included. */
    long between(long smallest, long largest) {
        return random.nextLong(smallest, largest + 1);
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
