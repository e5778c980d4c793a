/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What is wrong with the options, to be told all at once. Not thread-safe. */
final class Mistakes {

    private final List<String> found = new ArrayList<>();

    void add(String mistake) {
        found.add(mistake);
    }

    boolean areNone() {
        return found.isEmpty();
    }

    /** Runs a step for the mistake that it may find. */
    void check(Supplier<?> step) {
        var unused = collect(step);
    }

    /** The result of a step, or empty if it found a mistake. */
    <T> Optional<T> collect(Supplier<T> step) {
        return collect(step, "");
    }

    /**
     * The result of a step, or empty if it found a mistake.
     *
     * @param where begins the message
     */
    <T> Optional<T> collect(Supplier<T> step, String where) {
        try {
            return Optional.of(step.get());
        } catch (IllegalArgumentException mistake) {
            found.add(where + mistake.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Ends what was begun if a mistake was found.
     *
     * @throws IllegalArgumentException with all of them in one message
     */
    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new IllegalArgumentException("The lease cannot be set up: " + String.join("; ", found));
        }
    }
}
