/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.LogLine;
import java.io.PrintStream;
import java.util.Locale;

/** Tells what happens while it happens. Confined to one thread. */
final class Progress {

    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintStream out;
    private final long origin;

    /** @param origin when the run began, in nanoseconds of the monotonic clock */
    Progress(PrintStream out, long origin) {
        this.out = out;
        this.origin = origin;
    }

    /** A sentence of the runner. */
    void say(String sentence) {
        double seconds = (System.nanoTime() - origin) / NANOS_PER_SECOND;
        out.println(String.format(Locale.ROOT, "%6.1f s  %s", seconds, sentence));
    }

    /** A line of the log; the work itself is too much to be told. */
    void add(LogLine line) {
        if (!line.is("tick") && !line.node().equals(LogLine.RUNNER)) {
            say("    " + line.node() + " " + line.event() + " " + line.subject());
        }
    }
}
