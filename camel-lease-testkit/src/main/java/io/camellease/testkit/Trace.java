/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What happened in a simulation: a hash of all of it, and the last lines to read. Not thread-safe. */
final class Trace {

    private static final int KEPT = 100;

    private record Line(long nanos, String who, Supplier<String> what) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%12.6f  %-6s %s", nanos / 1e9, who, what.get());
        }
    }

    private final VirtualTime time;
    private final Deque<Line> last = new ArrayDeque<>();
    private long hash = 17;

    Trace(VirtualTime time) {
        this.time = time;
    }

    void add(String who, String what) {
        add(who, () -> what);
    }

    /**
     * Adds what is only put into words if somebody reads it.
     *
     * @param what gives the same text whenever it is asked
     */
    void add(String who, Supplier<String> what) {
        long nanos = time.elapsed().toNanos();
        hash = (hash * 31 + who.hashCode()) * 31 + nanos;
        last.addLast(new Line(nanos, who, what));
        if (last.size() > KEPT) {
            last.removeFirst();
        }
    }

    /** Equal for runs in which the same nodes did something at the same instants. */
    long hash() {
        return hash;
    }

    List<String> last() {
        return last.stream().map(Line::toString).toList();
    }
}
