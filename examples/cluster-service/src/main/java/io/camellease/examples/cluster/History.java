/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.LogLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened, made from the lines of a log. All times are nanoseconds of the host's monotonic clock.
 *
 * @param terms who led which route, in the order of their begins
 * @param ticks what the routes did, in the order of the log
 * @param harms what was done to nodes, in the order of the log
 */
record History(List<Term> terms, List<Tick> ticks, List<Harm> harms) {

    /** The routes of the nodes. */
    static final List<String> ROUTES = List.of("by-master", "by-policy");

    /**
     * A process led.
     *
     * @param process the node and the number of its start
     * @param from when it was told so
     * @param until when it was told otherwise, or was gone; {@link Long#MAX_VALUE} if it led to the end
     */
    record Term(String process, String route, long from, long until) {
        boolean overlaps(Term other) {
            return route.equals(other.route)
                    && !process.equals(other.process)
                    && from < other.until
                    && other.from < until;
        }

        boolean covers(Tick tick) {
            return route.equals(tick.route) && from <= tick.at && tick.at < until;
        }
    }

    /** A route of a process worked. */
    record Tick(String process, String route, long at) {}

    /** A process was killed or asked to stop, from when on. */
    record Harm(boolean kill, String process, long from) {}

    History {
        terms = List.copyOf(terms);
        ticks = List.copyOf(ticks);
        harms = List.copyOf(harms);
    }

    /** Reads the whole log. */
    static History of(List<LogLine> lines) {
        Reading reading = new Reading();
        lines.forEach(reading::add);
        reading.open.keySet().stream().toList().forEach(key -> reading.end(key, Long.MAX_VALUE));
        return new History(reading.terms, reading.ticks, reading.harms);
    }

    /** What another process did first in a route after a harm. */
    Optional<Tick> successor(Harm harm, String route) {
        return ticks.stream()
                .filter(tick -> tick.route().equals(route) && tick.at() > harm.from())
                .filter(tick -> !tick.process().equals(harm.process()))
                .findFirst();
    }

    /** Collects while the log is read from the top. Confined to one thread. */
    private static final class Reading {
        private final Map<String, Integer> launches = new HashMap<>();
        private final Map<Key, Long> open = new HashMap<>();
        private final List<Term> terms = new ArrayList<>();
        private final List<Tick> ticks = new ArrayList<>();
        private final List<Harm> harms = new ArrayList<>();

        private record Key(String process, String route) {}

        private void add(LogLine line) {
            switch (line.event()) {
                case "launch" -> launches.merge(line.subject(), 1, Integer::sum);
                case "leads" -> open.putIfAbsent(new Key(process(line.node()), line.subject()), line.now());
                case "follows" -> end(new Key(process(line.node()), line.subject()), line.now());
                case "tick" -> ticks.add(new Tick(process(line.node()), line.subject(), line.now()));
                case "kill", "stop" -> harm(line);
                default -> {
                    // the others are for people
                }
            }
        }

        private void harm(LogLine line) {
            String process = process(line.subject());
            harms.add(new Harm(line.is("kill"), process, line.number("from")));
            ROUTES.forEach(route -> end(new Key(process, route), line.now()));
        }

        private void end(Key key, long at) {
            Long from = open.remove(key);
            if (from != null) {
                terms.add(new Term(key.process(), key.route(), from, at));
            }
        }

        private String process(String node) {
            return node + "#" + launches.getOrDefault(node, 0);
        }
    }
}
