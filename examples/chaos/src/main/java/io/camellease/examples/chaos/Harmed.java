/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * Something that was done.
 *
 * @param target a node, or {@link Schedule#STORE}
 * @param process the node's process at that time; the store itself for the store
 * @param harm what
 * @param amount milliseconds by which replies are late or a clock jumped
 * @param span from just before it was done until it was made good; a killed process is whole again when it is launched
 * @param forgot whether it was a store, and came back empty
 */
record Harmed(String target, String process, Harm harm, long amount, Span span, boolean forgot) {

    boolean isOfStore() {
        return target.equals(Schedule.STORE);
    }

    /** Whether a node that it was done to cannot be relied on meanwhile. A lost reply and a clock that jumps are no excuse. */
    boolean disables() {
        return harm != Harm.CLOCK && harm != Harm.DROP_REPLY;
    }

    Harmed forgetting() {
        return new Harmed(target, process, harm, amount, span, true);
    }

    Harmed until(long instant) {
        return new Harmed(target, process, harm, amount, new Span(span.from(), instant), forgot);
    }
}
