/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * One grant of a lease.
 *
 * @param process who was granted it
 * @param lease the lease
 * @param token the fencing token
 * @param span from when it was told of the grant until it was told of its end, or until the process was gone
 * @param ending how it ended
 */
record Held(String process, String lease, long token, Span span, Ending ending) {

    /** How a grant ends. */
    enum Ending {
        /** The node was told that it is over. */
        LOST,
        /** The node gave it back. */
        RELEASED,
        /** The process was gone. */
        CRASHED,
        /** It has not ended. */
        OPEN
    }

    Held over(long at, Ending how) {
        return new Held(process, lease, token, new Span(span.from(), at), how);
    }
}
