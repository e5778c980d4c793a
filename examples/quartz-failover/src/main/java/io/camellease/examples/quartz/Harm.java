/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import java.util.Locale;

/** What is done to the processes of nodes; the names in lower case are the events in the log. */
enum Harm {
    /** SIGKILL, and started again. */
    KILL,
    /** SIGSTOP, then SIGCONT. */
    FREEZE,
    /** SIGTERM, and started again. */
    STOP,
    /** SIGKILL of both nodes, and started again. */
    OUTAGE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
