/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The consumers of one election, and where each stands. Not thread-safe. */
final class Consumers {

    /** Where a consumer stands. */
    private enum Part {
        JOINED,
        /** Wants to end, and is told how the term ends. */
        LEAVING,
        /** Has ended, but not its exchanges. */
        GONE
    }

    private final Map<LeaseConsumer, Part> parts = new LinkedHashMap<>();

    void join(LeaseConsumer consumer) {
        parts.put(consumer, Part.JOINED);
    }

    /** It wants to end; returns false if it did already. */
    boolean leave(LeaseConsumer consumer) {
        return parts.replace(consumer, Part.JOINED, Part.LEAVING);
    }

    /** It goes on; returns false if it has ended, or did not want to. */
    boolean stay(LeaseConsumer consumer) {
        return parts.replace(consumer, Part.LEAVING, Part.JOINED);
    }

    /** It has ended, but maybe not its exchanges. */
    void end(LeaseConsumer consumer) {
        parts.replace(consumer, Part.GONE);
    }

    /** Its exchanges have ended too; ignored if it has come back. */
    void forget(LeaseConsumer consumer) {
        parts.remove(consumer, Part.GONE);
    }

    boolean isStaying(LeaseConsumer consumer) {
        return parts.get(consumer) == Part.JOINED;
    }

    /** Whether any of them goes on. */
    boolean anyStays() {
        return parts.containsValue(Part.JOINED);
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Those that are told what happens. */
    List<LeaseConsumer> listening() {
        return parts.entrySet().stream()
                .filter(entry -> entry.getValue() != Part.GONE)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Those whose exchanges may run. */
    Collection<LeaseConsumer> all() {
        return List.copyOf(parts.keySet());
    }
}
