/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.LogLine;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** Tells what happens while it happens. Confined to one thread. */
final class Progress {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final Set<String> TOLD = Set.of("started", "granted", "suspended", "resumed", "lost", "released");

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

    /** A line of the log; most runs are too many to be told. */
    void add(LogLine line) {
        if (TOLD.contains(line.event())) {
            say("    " + line.node() + " " + line.event() + " " + line.subject());
        } else if (line.is("begin") && "true".equals(line.values().get("recovering"))) {
            say("    " + line.node() + " repeats " + line.subject() + " for "
                    + line.values().get("slot"));
        }
    }

    /** What is about to be done to a node. */
    void harm(PlannedHarm harm, String node) {
        say(">>> " + harm.harm().word() + " " + node + ", for " + seconds(harm.length()));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
