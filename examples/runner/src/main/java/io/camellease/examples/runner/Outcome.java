/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a run ends with.
 *
 * @param line the figures, as key=value
 * @param complaints what was wrong, one sentence each
 */
public record Outcome(String line, List<String> complaints) {

    public Outcome {
        complaints = List.copyOf(complaints);
    }

    /** Whether nothing was wrong. */
    public boolean passed() {
        return complaints.isEmpty();
    }

    Outcome with(List<String> moreComplaints) {
        return new Outcome(
                line,
                Stream.of(moreComplaints, complaints).flatMap(List::stream).toList());
    }
}
