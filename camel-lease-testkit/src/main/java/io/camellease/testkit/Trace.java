/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** What happened in a simulation: a hash of all of it, and the last lines to read. Not thread-safe. */
final class Trace {

    private static final int KEPT = 60;

    private final VirtualTime time;
    private final Deque<String> last = new ArrayDeque<>();
    private long hash = 17;

    Trace(VirtualTime time) {
        this.time = time;
    }

    void add(String who, String what) {
        long nanos = time.elapsed().toNanos();
        String line = String.format(Locale.ROOT, "%12.6f  %-6s %s", nanos / 1e9, who, what);
        hash = hash * 31 + line.hashCode();
        last.addLast(line);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
    }

    /** Equal for runs in which the same things happened at the same instants. */
    long hash() {
        return hash;
    }

    List<String> last() {
        return List.copyOf(last);
    }
}
