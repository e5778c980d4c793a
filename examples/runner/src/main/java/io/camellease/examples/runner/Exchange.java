/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.OptionalLong;

/**
 * The work of one file or message on one node. All times are nanoseconds of the host's monotonic clock.
 *
 * @param process which process did it: the node and the number of its start, for example A#2
 * @param item the file or message
 * @param token the fencing token it ran under
 * @param checkedAt when the lease was found valid for it
 * @param begunAt when its begin was written to the log
 * @param endedAt when its end was written; empty if it never was
 * @param redelivered whether the source said that it was delivered before
 */
record Exchange(
        String process,
        String item,
        long token,
        long checkedAt,
        long begunAt,
        OptionalLong endedAt,
        boolean redelivered) {

    /** Its last line in the log. */
    long lastSign() {
        return endedAt.orElse(begunAt);
    }

    /** Whether it wrote anything later than the given time. */
    boolean wroteAfter(long nanos) {
        return lastSign() > nanos;
    }
}
