/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * A stretch of time in nanoseconds of the host's monotonic clock.
 *
 * @param from its first instant
 * @param until the first instant after it
 */
record Span(long from, long until) {

    /** The end of a stretch that has not ended. */
    static final long OPEN = Long.MAX_VALUE;

    long nanos() {
        return until - from;
    }

    boolean isEmpty() {
        return until <= from;
    }

    boolean contains(long instant) {
        return from <= instant && instant < until;
    }

    /** Whether the other lies within this one. */
    boolean covers(Span other) {
        return from <= other.from && other.until <= until;
    }

    /** Whether the two have an instant in common; the ends count. */
    boolean meets(Span other) {
        return from <= other.until && other.from <= until;
    }

    /** What both contain; it may be empty. */
    Span and(Span other) {
        return new Span(Math.max(from, other.from), Math.min(until, other.until));
    }
}
