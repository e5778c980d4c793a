/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.LogLine;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the log says while it grows: who is up, what is done, who holds what; told to a person. Confined to one thread. */
final class Progress {

    private static final long STATUS_NANOS = Duration.ofSeconds(10).toNanos();
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintStream out;
    private final long origin;
    private final Map<String, Boolean> up = new TreeMap<>();
    private final Map<String, String> holders = new TreeMap<>();
    private final Set<String> done = new HashSet<>();
    private final Set<String> begun = new HashSet<>();
    private int fed;
    private int exchanges;
    private long statusAt;

    Progress(PrintStream out, long origin) {
        this.out = out;
        this.origin = origin;
        this.statusAt = origin;
    }

    /** A sentence of the runner. */
    void say(String sentence) {
        out.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - origin) / NANOS_PER_SECOND, sentence);
        out.flush();
    }

    void add(LogLine line) {
        switch (line.event()) {
            case "fed" -> fed++;
            case "started" -> up.put(line.node(), true);
            case "begin" -> {
                exchanges++;
                begun.add(Work.lease(line.subject()));
            }
            case "done", "committed" -> {
                if (!line.subject().startsWith(Site.TICKS + "/")) {
                    done.add(line.subject());
                }
            }
            case "granted" -> holders.put(line.subject(), line.node());
            case "lost", "released" -> holders.remove(line.subject(), line.node());
            default -> {
                if (line.node().equals(LogLine.RUNNER)) {
                    ofRunner(line);
                }
            }
        }
    }

    private void ofRunner(LogLine line) {
        String more = line.values().containsKey("harm") ? " " + line.values().get("harm") : "";
        String amount = line.values().getOrDefault("amount", "0");
        say(">>> " + line.event() + " " + line.subject() + more + (amount.equals("0") ? "" : " " + amount + " ms"));
        if (line.is("launch") || line.is("kill") || line.is("stop")) {
            up.put(line.subject(), false);
        }
    }

    /** Whether all nodes that were started are up. */
    boolean allUp() {
        return up.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(Schedule.STORE))
                .allMatch(Map.Entry::getValue);
    }

    /** How many files wait for their work to be done. */
    int waiting() {
        return fed - done.size();
    }

    /** Forgets which leases work was begun under. */
    void forgetBegun() {
        begun.clear();
    }

    /** The leases under which work was begun since {@link #forgetBegun}. */
    Set<String> begun() {
        return Set.copyOf(begun);
    }

    /** To be called often: prints the status now and then. */
    void tick(long now) {
        if (now - statusAt >= STATUS_NANOS) {
            statusAt = now;
            say("    " + exchanges + " exchanges, " + waiting() + " of " + fed + " files wait; holders " + holders);
        }
    }
}
