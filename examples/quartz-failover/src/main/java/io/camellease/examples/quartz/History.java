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

/**
 * What happened, made from the lines of a log. All times are milliseconds of the wall clock.
 *
 * @param begins the runs, in the order of the log
 * @param grants in the order of the log
 * @param cuts moments at which a run may have been cut off, or a slot reserved and not begun, in the order of the log
 * @param harms how often each harm was done, by the event in the log
 * @param until slots up to here are judged; {@link Long#MAX_VALUE} if the log does not say
 */
record History(List<Begin> begins, List<Grant> grants, List<Cut> cuts, Map<String, Integer> harms, long until) {

    /**
     * A run.
     *
     * @param process the node and the number of its start
     * @param job the name of the job
     * @param slot the scheduled time that it is for
     * @param token under which it runs
     * @param isRepeat whether it is marked as one
     * @param at when it was begun
     */
    record Begin(String process, String job, long slot, long token, boolean isRepeat, long at) {}

    /** A process was granted the lease of a job. */
    record Grant(String process, String job, long token, long at) {}

    /**
     * A process was killed or frozen, or lost the lease of a job.
     *
     * @param process which one
     * @param job whose lease; empty if all of them
     * @param at when it had taken effect
     */
    record Cut(String process, String job, long at) {
        boolean concerns(String ofJob) {
            return job.isEmpty() || job.equals(ofJob);
        }
    }

    History {
        begins = List.copyOf(begins);
        grants = List.copyOf(grants);
        cuts = List.copyOf(cuts);
        harms = Map.copyOf(harms);
    }

    /** Reads the whole log. */
    static History of(List<LogLine> lines) {
        Reading reading = new Reading();
        lines.forEach(reading::add);
        return new History(reading.begins, reading.grants, reading.cuts, reading.harms, reading.until);
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
        private final Map<String, Integer> harms = new HashMap<>();
        private long until = Long.MAX_VALUE;

        private void add(LogLine line) {
            switch (line.event()) {
                case "launch" -> launches.merge(line.subject(), 1, Integer::sum);
                case "begin" -> begins.add(begin(line));
                case "granted" ->
                    grants.add(new Grant(process(line.node()), line.subject(), line.token(), line.number("at")));
                case "suspended", "lost" -> cuts.add(new Cut(process(line.node()), line.subject(), line.number("at")));
                case "kill", "freeze" -> {
                    cuts.add(new Cut(process(line.subject()), "", line.number("at")));
                    harms.merge(line.event(), 1, Integer::sum);
                }
                case "stop" -> harms.merge(line.event(), 1, Integer::sum);
                case "until" -> until = line.number("at");
                default -> {
                    // the others are for people
                }
            }
        }

        private String process(String node) {
            return node + "#" + launches.getOrDefault(node, 0);
        }

        private Begin begin(LogLine line) {
            return new Begin(
                    process(line.node()),
                    line.subject(),
                    line.number("slot"),
                    line.token(),
                    "true".equals(line.values().get("recovering")),
                    line.number("at"));
        }
    }
}
