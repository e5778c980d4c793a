/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What happened, made from the lines of a work log.
 *
 * @param fed the files or messages that were handed in
 * @param exchanges the work that was begun, in the order in which the lease was checked for it
 * @param grants in the order of the log
 * @param faults in the order of the log
 * @param starts how long the start of each process took, in nanoseconds, by process; without those that were not noted
 * @param refusals when a login was refused, in nanoseconds of the host's monotonic clock
 * @param left how much was still there to work on when all nodes had stopped
 */
record History(
        Set<String> fed,
        List<Exchange> exchanges,
        List<Grant> grants,
        List<Fault> faults,
        Map<String, Long> starts,
        List<Long> refusals,
        long left) {

    History {
        fed = Set.copyOf(fed);
        exchanges = exchanges.stream()
                .sorted((a, b) -> Long.compare(a.checkedAt(), b.checkedAt()))
                .toList();
        grants = List.copyOf(grants);
        faults = List.copyOf(faults);
        starts = Map.copyOf(starts);
        refusals = List.copyOf(refusals);
    }

    /** Reads the whole log. */
    static History of(List<LogLine> lines) {
        Reading reading = new Reading();
        lines.forEach(reading::add);
        return new History(
                reading.fed.keySet(),
                List.copyOf(reading.exchanges.values()),
                reading.grants,
                reading.faults,
                reading.startNanos,
                reading.refusals,
                reading.left);
    }

    /** The faults of one kind done to nodes. */
    List<Fault> faultsOfNodes(Fault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.kind() == kind && !fault.process().equals(Fault.STORE))
                .toList();
    }

    /** The fault of one kind done to the store. */
    Optional<Fault> faultOfStore(Fault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.kind() == kind && fault.process().equals(Fault.STORE))
                .findFirst();
    }

    /** How long the slowest start took, in nanoseconds: how busy the machine was. */
    long slowestStart() {
        return starts.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** The grant that an exchange ran under, if its node was told of it. */
    Optional<Grant> grantOf(Exchange exchange) {
        return grants.stream()
                .filter(grant -> grant.token() == exchange.token())
                .filter(grant -> grant.process().equals(exchange.process()))
                .findFirst();
    }

    /** For how long a process was frozen between two instants, in nanoseconds. */
    long frozenNanos(String process, long from, long until) {
        long frozen = 0;
        for (Fault freeze : faultsOfNodes(Fault.Kind.FREEZE)) {
            if (freeze.process().equals(process)) {
                frozen += Math.max(0, Math.min(until, thawedAt(freeze)) - Math.max(from, freeze.from()));
            }
        }
        return frozen;
    }

    private long thawedAt(Fault freeze) {
        return faultsOfNodes(Fault.Kind.THAW).stream()
                .filter(thaw -> thaw.process().equals(freeze.process()))
                .mapToLong(Fault::until)
                .filter(until -> until > freeze.from())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The files or messages whose work ended at least once. */
    Set<String> processed() {
        return exchanges.stream()
                .filter(exchange -> exchange.endedAt().isPresent())
                .map(Exchange::item)
                .collect(Collectors.toSet());
    }

    /** Collects while the log is read from the top. Confined to one thread. */
    private static final class Reading {
        private final Map<String, Boolean> fed = new LinkedHashMap<>();
        private final Map<String, Exchange> exchanges = new LinkedHashMap<>();
        private final Map<String, Integer> starts = new LinkedHashMap<>();
        private final List<Grant> grants = new ArrayList<>();
        private final List<Fault> faults = new ArrayList<>();
        private final Map<String, Long> launchedAt = new LinkedHashMap<>();
        private final Map<String, Long> startNanos = new LinkedHashMap<>();
        private final List<Long> refusals = new ArrayList<>();
        private long left;

        private void add(LogLine line) {
            switch (line.event()) {
                case "fed" -> fed.put(line.subject(), true);
                case "launch" -> launchedAt.put(line.subject(), line.now());
                case "started" -> started(line);
                case "granted" ->
                    grants.add(new Grant(
                            process(line.node()),
                            line.token(),
                            line.now(),
                            OptionalLong.empty(),
                            OptionalLong.empty()));
                case "lost" -> over(line, grant -> grant.lost(line.now()));
                case "released" -> over(line, grant -> grant.released(line.now()));
                case "begin" -> exchanges.put(key(line), begun(line));
                case "end" -> exchanges.computeIfPresent(key(line), (key, exchange) -> ended(exchange, line));
                case "refused" -> refusals.add(line.now());
                case "left" -> left += line.number("count");
                case "kill", "freeze", "thaw", "stop" -> faults.add(fault(line));
                default -> {
                    // at-risk, suspended and the like are for people
                }
            }
        }

        private String process(String node) {
            return node.equals(Fault.STORE) ? node : node + "#" + starts.getOrDefault(node, 0);
        }

        private void started(LogLine line) {
            starts.merge(line.node(), 1, Integer::sum);
            Optional.ofNullable(launchedAt.remove(line.node()))
                    .ifPresent(at -> startNanos.put(process(line.node()), line.now() - at));
        }

        private void over(LogLine line, UnaryOperator<Grant> ending) {
            String process = process(line.node());
            grants.replaceAll(grant ->
                    grant.process().equals(process) && grant.token() == line.token() ? ending.apply(grant) : grant);
        }

        private static String key(LogLine line) {
            return line.node() + " " + line.subject() + " " + line.number("checked");
        }

        private Exchange begun(LogLine line) {
            return new Exchange(
                    process(line.node()),
                    line.subject(),
                    line.token(),
                    line.number("checked"),
                    line.now(),
                    OptionalLong.empty(),
                    line.values().containsKey("redelivered"));
        }

        private static Exchange ended(Exchange begun, LogLine line) {
            return new Exchange(
                    begun.process(),
                    begun.item(),
                    begun.token(),
                    begun.checkedAt(),
                    begun.begunAt(),
                    OptionalLong.of(line.now()),
                    begun.redelivered());
        }

        private Fault fault(LogLine line) {
            Fault.Kind kind = Fault.Kind.valueOf(line.event().toUpperCase(Locale.ROOT));
            return new Fault(kind, process(line.subject()), line.number("from"), line.now());
        }
    }
}
