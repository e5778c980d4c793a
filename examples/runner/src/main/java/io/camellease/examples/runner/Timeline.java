/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Tells what happens while it happens: every event, and once a second who works and how fast. Confined to one thread. */
final class Timeline {

    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintStream out;
    private final String unit;
    private final int items;
    private final long origin;
    private final Set<String> done = new HashSet<>();
    private int fed;
    private int ended;
    private int endedBefore;
    private String worker = "";
    private long workingToken;
    private long workedAt;
    private long statusAt;
    private long printedAt;

    Timeline(PrintStream out, String unit, int items, long origin) {
        this.out = out;
        this.unit = unit;
        this.items = items;
        this.origin = origin;
        this.workedAt = origin;
        this.printedAt = origin;
    }

    /** A sentence of the runner. */
    void say(String sentence) {
        print(System.nanoTime(), sentence);
    }

    /** A line of the log. */
    void add(LogLine line) {
        switch (line.event()) {
            case "fed" -> fed++;
            case "begin" -> begun(line);
            case "end" -> {
                ended++;
                done.add(line.subject());
            }
            default -> print(line.now(), sentence(line));
        }
    }

    /** How many were worked on to the end. */
    int done() {
        return done.size();
    }

    /** For how long nothing was printed. */
    Duration silence(long now) {
        return Duration.ofNanos(now - printedAt);
    }

    /** To be called often: prints the status when a second has passed. */
    void tick(long now) {
        if (worker.isEmpty() || now - statusAt < NANOS_PER_SECOND) {
            return;
        }
        double perSecond = (ended - endedBefore) * NANOS_PER_SECOND / (now - statusAt);
        String who = ended == endedBefore ? "nobody works" : worker + " works, token " + workingToken;
        print(
                now,
                String.format(
                        Locale.ROOT,
                        "    %-34s %5.1f %s/s  %4d of %d done  %3d waiting",
                        who,
                        perSecond,
                        unit,
                        done.size(),
                        items,
                        fed - done.size()));
        statusAt = now;
        endedBefore = ended;
    }

    private void begun(LogLine line) {
        if (line.token() > workingToken) {
            String gap = String.format(Locale.ROOT, "%.1f s", (line.now() - workedAt) / NANOS_PER_SECOND);
            String since = workingToken == 0 ? "" : ", " + gap + " after the last begin of " + worker;
            print(line.now(), line.node() + " begins " + line.subject() + ", token " + line.token() + since);
            statusAt = worker.isEmpty() ? line.now() : statusAt;
            workingToken = line.token();
            worker = line.node();
        }
        workedAt = line.now();
    }

    private static String sentence(LogLine line) {
        String node = line.node();
        return switch (line.event()) {
            case "launch" -> line.subject() + " is started";
            case "started" -> node + " is up, process " + line.values().get("pid");
            case "granted" -> node + " holds the lease, token " + line.token();
            case "at-risk" -> node + " cannot renew the lease, token " + line.token();
            case "secured" -> node + " renewed the lease after all, token " + line.token();
            case "suspended" -> node + " suspends: no work begins until a renewal succeeds";
            case "resumed" -> node + " goes on, token " + line.token();
            case "draining" -> node + " finishes the work in flight, token " + line.token();
            case "released" -> node + " gives the lease back, token " + line.token();
            case "lost" ->
                node + " lost the lease, token " + line.token() + ": "
                        + line.values().get("reason");
            case "refused" -> node + " refuses a login";
            case "left" ->
                (node.equals(LogLine.RUNNER) ? "inbox" : node) + " has "
                        + line.values().get("count") + " left to work on";
            case "stopped" -> node + " has stopped";
            case "kill" -> ">>> kill -KILL " + line.subject();
            case "freeze" -> ">>> kill -STOP " + line.subject();
            case "thaw" -> ">>> kill -CONT " + line.subject();
            case "stop" -> ">>> kill -TERM " + line.subject();
            default -> node + " " + line.event() + " " + line.subject();
        };
    }

    private void print(long now, String sentence) {
        out.printf(Locale.ROOT, "%6.1f s  %s%n", (now - origin) / NANOS_PER_SECOND, sentence);
        out.flush();
        printedAt = System.nanoTime();
    }
}
