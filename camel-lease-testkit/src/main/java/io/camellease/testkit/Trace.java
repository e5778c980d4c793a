/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What happened in a simulation: a hash of all of it, and the last lines to read. Not thread-safe. */
final class Trace {

    private static final int EVENTS_KEPT = 80;
    private static final int ROUTINE_KEPT = 25;

    private record Line(long number, long nanos, String who, Supplier<String> what) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%12.6f  %-6s %s", nanos / 1e9, who, what.get());
        }
    }

    private final VirtualTime time;
    private final Deque<Line> events = new ArrayDeque<>();
    private final Deque<Line> routine = new ArrayDeque<>();
    private long lines;
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
        add(events, EVENTS_KEPT, who, what);
    }

    /** As {@link #add(String, Supplier)}, for what happens so often that it would hide the rest: only the newest is kept. */
    void addRoutine(String who, Supplier<String> what) {
        add(routine, ROUTINE_KEPT, who, what);
    }

    private void add(Deque<Line> to, int kept, String who, Supplier<String> what) {
        long nanos = time.elapsed().toNanos();
        hash = (hash * 31 + who.hashCode()) * 31 + nanos;
        to.addLast(new Line(lines++, nanos, who, what));
        if (to.size() > kept) {
            to.removeFirst();
        }
    }

    /** Equal for runs in which the same nodes did something at the same instants. */
    long hash() {
        return hash;
    }

    List<String> last() {
        return Stream.concat(events.stream(), routine.stream())
                .sorted(Comparator.comparingLong(Line::number))
                .map(Line::toString)
                .toList();
    }
}
