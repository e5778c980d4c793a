/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.OptionalLong;

/**
 * One exchange. All times are nanoseconds of the host's monotonic clock.
 *
 * @param process which process ran it: the node and the number of its start, for example A#2
 * @param item what it was about: the lease, a slash, and the file or a unique name
 * @param token the fencing token it ran under
 * @param checkedAt when the gate found the lease valid for it
 * @param begunAt when its begin was written to the log
 * @param endedAt when the end of its work was written; empty if it never was
 * @param doneAt when it was written that its source had committed it; empty if it never was
 * @param failedAt when it was written that it had failed, so that its source keeps it; empty if it never was
 */
record Work(
        String process,
        String item,
        long token,
        long checkedAt,
        long begunAt,
        OptionalLong endedAt,
        OptionalLong doneAt,
        OptionalLong failedAt) {

    /** The lease of an item. */
    static String lease(String item) {
        return item.substring(0, item.indexOf('/'));
    }

    String lease() {
        return lease(item);
    }

    Work ended(long at) {
        return new Work(process, item, token, checkedAt, begunAt, OptionalLong.of(at), doneAt, failedAt);
    }

    Work done(long at) {
        return new Work(process, item, token, checkedAt, begunAt, endedAt, OptionalLong.of(at), failedAt);
    }

    Work failed(long at) {
        return new Work(process, item, token, checkedAt, begunAt, endedAt, doneAt, OptionalLong.of(at));
    }

    /** When it was over, committed or not; empty if it never was. */
    OptionalLong overAt() {
        return doneAt.isPresent() ? doneAt : failedAt;
    }

    /** Its last line in the log. */
    long lastSign() {
        return doneAt.orElse(endedAt.orElse(begunAt));
    }
}
