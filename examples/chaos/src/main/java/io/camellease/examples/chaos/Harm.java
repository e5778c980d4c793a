/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.Locale;

/** What can be done to a process, to its connection with the store, to its clock, or to the store. */
enum Harm {
    /** SIGKILL; started again afterwards. */
    KILL,
    /** SIGSTOP, and SIGCONT afterwards. */
    FREEZE,
    /** SIGTERM; started again once it has ended. */
    STOP,
    /** Connections are reset and new ones refused. */
    REFUSE,
    /** Nothing passes in either direction and nothing is closed; what was sent meanwhile arrives afterwards. */
    BLACKHOLE,
    /** Everything passes late, in both directions. */
    DELAY,
    /** Requests pass and replies vanish; afterwards the connections of that time are reset. */
    HALF_OPEN,
    /** The reply to the next write vanishes, and its connection is reset. */
    DROP_REPLY,
    /** The wall clock jumps, and jumps back afterwards. */
    CLOCK;

    /** As it is written in the log. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Harm of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
