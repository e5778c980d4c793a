/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * A number that grows with every grant of a name, over release, expiry, restart and even the loss of the record (rule S6).
 * A system that remembers the largest token it has seen and refuses smaller ones is safe from a holder that was frozen
 * between its check and its write ("sequencer" in Burrows, "The Chubby lock service", OSDI 2006).
 *
 * @param value at least 1
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the value is less than 1
     */
    public FencingToken {
        if (value < 1) {
            throw new IllegalArgumentException("fencing token " + value + " is less than 1");
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
