/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.OptionalLong;

/**
 * A lease that a node was told it has. All times are nanoseconds of the host's monotonic clock.
 *
 * @param process which process: the node and the number of its start
 * @param token the fencing token
 * @param at when the node wrote it to the log
 * @param lostAt when the node wrote that it is over; empty if it never did
 * @param releasedAt when the node wrote that it has given it back; empty if it never did
 */
record Grant(String process, long token, long at, OptionalLong lostAt, OptionalLong releasedAt) {

    /** When the node was told of its end, or gave it back; in the far future if neither. */
    long overAt() {
        return Math.min(lostAt.orElse(Long.MAX_VALUE), releasedAt.orElse(Long.MAX_VALUE));
    }

    Grant lost(long instant) {
        return new Grant(process, token, at, OptionalLong.of(instant), releasedAt);
    }

    Grant released(long instant) {
        return new Grant(process, token, at, lostAt, OptionalLong.of(instant));
    }
}
