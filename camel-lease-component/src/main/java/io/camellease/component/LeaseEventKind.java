/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a {@code lease:} consumer tells. */
enum LeaseEventKind {
    ACQUIRED("acquired"),
    LOST("lost"),
    RELEASED("released"),
    HOLDER_CHANGED("holderChanged");

    private final String text;

    LeaseEventKind(String text) {
        this.text = text;
    }

    /** The kind as it is written in an endpoint and in the header. */
    String text() {
        return text;
    }

    /**
     * The kinds in a list with commas.
     *
     * @throws IllegalArgumentException if one is none of them, or there is none
     */
    static Set<LeaseEventKind> parse(String list) {
        Set<LeaseEventKind> kinds = EnumSet.noneOf(LeaseEventKind.class);
        for (String item : list.split(",", -1)) {
            kinds.add(named(item.strip())
                    .orElseThrow(() -> new IllegalArgumentException("events='" + list + "': '" + item.strip()
                            + "' is no event of a lease; there are " + all())));
        }
        return kinds;
    }

    private static Optional<LeaseEventKind> named(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }

    private static String all() {
        return Arrays.stream(values()).map(LeaseEventKind::text).collect(Collectors.joining(", "));
    }
}
