/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Locale;

/** How the consumer of a leased route is held back while no work may begin. */
enum HoldBy {
    /** As the consumer needs it: see {@link ConsumerKind}. */
    AUTO,
    /** It is suspended, and keeps what it has: connections, prefetched messages, partitions. */
    SUSPEND,
    /** It is suspended at once, and stopped as soon as its work has ended. */
    STOP;

    /**
     * The value that is called so, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    static HoldBy of(String text) {
        for (HoldBy value : values()) {
            if (value.name().equalsIgnoreCase(text.trim())) {
                return value;
            }
        }
        throw new IllegalArgumentException(
                "holdBy of a lease route policy is '" + text + "': it can be auto, suspend or stop");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a consumer of this kind is stopped after it was suspended. */
    boolean stops(ConsumerKind kind) {
        return switch (this) {
            case AUTO -> kind.keepsSomething();
            case SUSPEND -> false;
            case STOP -> true;
        };
    }
}
