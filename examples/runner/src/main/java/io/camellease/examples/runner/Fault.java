/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

/**
 * What the runner did to a process, with the readings of the host's monotonic clock just before and just after.
 *
 * @param kind what was done
 * @param process to which process: the node and the number of its start, or {@link #STORE}
 * @param from before it was done
 * @param until when it had taken effect
 */
record Fault(Kind kind, String process, long from, long until) {

    /** The name of the store in the log. */
    static final String STORE = "store";

    /** What can be done to a process; the names in lower case are the events in the log. */
    enum Kind {
        /** SIGKILL. */
        KILL,
        /** SIGSTOP. */
        FREEZE,
        /** SIGCONT. */
        THAW,
        /** SIGTERM. */
        STOP
    }
}
