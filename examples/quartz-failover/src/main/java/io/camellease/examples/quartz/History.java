/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.LogLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What happened, made from the lines of a log. All times are milliseconds of the wall clock.
 *
 * @param begins the runs, in the order of the log
 * @param grants in the order of the log
 * @param cuts moments at which a run may have been cut off, or a slot reserved and not begun, in the order of the log
 * @param stops moments at which a process was asked to stop, in the order of the log
 * @param harms how often each harm was done, by the event in the log
 * @param until slots up to here are judged; {@link Long#MAX_VALUE} if the log does not say
 */
record History(
        List<Begin> begins,
        List<Grant> grants,
        List<Cut> cuts,
        List<Cut> stops,
        Map<String, Integer> harms,
        long until) {

    /**
     * A run.
     *
     * @param process the node and the number of its start
     * @param job the name of the job
     * @param slot the scheduled time that it is for
     * @param token under which it runs
     * @param isRepeat whether it is marked as one
     * @param at when it was begun
     * @param endedAt when it ended; empty if it never did
     * @param checkedAt when the lease was found valid for it, in nanoseconds of the host's monotonic clock; empty for a plain job
     */
    record Begin(
            String process,
            String job,
            long slot,
            long token,
            boolean isRepeat,
            long at,
            OptionalLong endedAt,
            OptionalLong checkedAt) {

        Begin ended(long instant) {
            return new Begin(process, job, slot, token, isRepeat, at, OptionalLong.of(instant), checkedAt);
        }

        boolean isRunOf(String ofProcess, String ofJob, long ofSlot, long underToken) {
            return process.equals(ofProcess) && job.equals(ofJob) && slot == ofSlot && token == underToken;
        }
    }

    /** A process was granted the lease of a job. */
    record Grant(String process, String job, long token, long at) {}

    /**
     * A process was killed, frozen or asked to stop, or lost the lease of a job.
     *
     * @param process which one
     * @param job whose lease; empty if all of them
     * @param at when it had taken effect
     * @param until when a frozen process was to go on; for the others the same as {@code at}
     */
    record Cut(String process, String job, long at, long until) {

        static Cut of(String process, String job, long at) {
            return new Cut(process, job, at, at);
        }

        Cut thawed(String thawed, long instant) {
            return until == Long.MAX_VALUE && process.equals(thawed) ? new Cut(process, job, at, instant) : this;
        }

        boolean concerns(String ofJob) {
            return job.isEmpty() || job.equals(ofJob);
        }
    }

    History {
        begins = List.copyOf(begins);
        grants = List.copyOf(grants);
        cuts = List.copyOf(cuts);
        stops = List.copyOf(stops);
        harms = Map.copyOf(harms);
    }

    /** Reads the whole log. */
    static History of(List<LogLine> lines) {
        Reading reading = new Reading();
        lines.forEach(reading::add);
        return new History(reading.begins, reading.grants, reading.cuts, reading.stops, reading.harms, reading.until);
    }

    int harms(String event) {
        return harms.getOrDefault(event, 0);
    }

    /** Collects while the log is read from the top. Confined to one thread. */
    private static final class Reading {
        private final Map<String, Integer> launches = new HashMap<>();
        private final List<Begin> begins = new ArrayList<>();
        private final List<Grant> grants = new ArrayList<>();
        private final List<Cut> cuts = new ArrayList<>();
        private final List<Cut> stops = new ArrayList<>();
        private final Map<String, Integer> harms = new HashMap<>();
        private long until = Long.MAX_VALUE;

        private void add(LogLine line) {
            switch (line.event()) {
                case "launch" -> launches.merge(line.subject(), 1, Integer::sum);
                case "begin" -> begins.add(begin(line));
                case "granted" ->
                    grants.add(new Grant(process(line.node()), line.subject(), line.token(), line.number("at")));
                case "end" -> ended(line);
                case "suspended", "lost" -> cuts.add(Cut.of(process(line.node()), line.subject(), line.number("at")));
                case "kill" -> harmed(line, cuts, line.number("at"));
                case "freeze" -> harmed(line, cuts, Long.MAX_VALUE);
                case "thaw" -> cuts.replaceAll(cut -> cut.thawed(process(line.subject()), line.number("at")));
                case "stop" -> harmed(line, stops, line.number("at"));
                case "until" -> until = line.number("at");
                default -> {
                    // the others are for people
                }
            }
        }

        private String process(String node) {
            return node + "#" + launches.getOrDefault(node, 0);
        }

        private void harmed(LogLine line, List<Cut> those, long until) {
            those.add(new Cut(process(line.subject()), "", line.number("at"), until));
            harms.merge(line.event(), 1, Integer::sum);
        }

        private void ended(LogLine line) {
            String process = process(line.node());
            begins.replaceAll(begin -> begin.isRunOf(process, line.subject(), line.number("slot"), line.token())
                    ? begin.ended(line.number("at"))
                    : begin);
        }

        private Begin begin(LogLine line) {
            return new Begin(
                    process(line.node()),
                    line.subject(),
                    line.number("slot"),
                    line.token(),
                    "true".equals(line.values().get("recovering")),
                    line.number("at"),
                    OptionalLong.empty(),
                    line.values().containsKey("checked")
                            ? OptionalLong.of(line.number("checked"))
                            : OptionalLong.empty());
        }
    }
}
