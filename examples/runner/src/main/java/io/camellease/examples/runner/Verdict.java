/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether the nodes kept the promises, computed from nothing but their history.
 *
 * @param files how many were handed in
 * @param processed how many of them were worked on to the end by some node
 * @param lost the others
 * @param begunTwice those that were begun more than once
 * @param notExcused those of them that were not in flight when a node was killed or frozen
 * @param overlaps exchanges whose lease was checked after the first exchange under a larger token
 * @param lateEffects how many exchanges were checked in time but wrote later than that; only a fencing token helps there
 * @param mistimed those of them that nothing explains, and other work at a wrong time
 * @param tokensAscending whether every grant had a larger token than the one before, and no two processes used one token
 */
record Verdict(
        int files,
        int processed,
        Set<String> lost,
        Set<String> begunTwice,
        Set<String> notExcused,
        List<Exchange> overlaps,
        int lateEffects,
        Mistimed mistimed,
        boolean tokensAscending) {

    Verdict {
        lost = Set.copyOf(lost);
        begunTwice = Set.copyOf(begunTwice);
        notExcused = Set.copyOf(notExcused);
        overlaps = List.copyOf(overlaps);
    }

    static Verdict of(History history) {
        Set<String> processed = new HashSet<>(history.processed());
        processed.retainAll(history.fed());
        Set<String> begunTwice = begunTwice(history);
        Set<String> notExcused = new LinkedHashSet<>(begunTwice);
        notExcused.removeAll(inFlight(history));
        List<Exchange> lateEffects = lateEffects(history);
        return new Verdict(
                history.fed().size(),
                processed.size(),
                minus(history.fed(), processed),
                begunTwice,
                notExcused,
                overlaps(history),
                lateEffects.size(),
                Mistimed.of(history, lateEffects),
                tokensAscending(history));
    }

    /** What is wrong, one sentence each; empty if nothing is. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (files == 0) {
            complaints.add("nothing was handed in");
        }
        if (!lost.isEmpty()) {
            complaints.add("never worked on to the end: " + String.join(" ", new TreeSet<>(lost)));
        }
        if (!notExcused.isEmpty()) {
            complaints.add("begun more than once without a kill or freeze: " + String.join(" ", notExcused));
        }
        overlaps.forEach(late -> complaints.add(late.process() + " began " + late.item() + " under token "
                + late.token() + " after the first exchange under a larger one"));
        complaints.addAll(mistimed.complaints());
        if (!tokensAscending) {
            complaints.add("the tokens do not ascend from grant to grant");
        }
        return complaints;
    }

    private static Set<String> minus(Set<String> all, Set<String> some) {
        Set<String> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static Set<String> begunTwice(History history) {
        Map<String, Long> begins = history.exchanges().stream().collect(groupingBy(Exchange::item, counting()));
        begins.values().removeIf(count -> count == 1);
        return begins.keySet();
    }

    /**
     * The last one that each killed or frozen process had begun by then: a consumer works on one at a time, and the log does
     * not show when it removes it from its source. After a kill nothing more is written, so whatever came last counts.
     */
    private static Set<String> inFlight(History history) {
        Set<String> files = new HashSet<>();
        for (Fault fault : history.faults()) {
            if (fault.kind() == Fault.Kind.KILL || fault.kind() == Fault.Kind.FREEZE) {
                history.exchanges().stream()
                        .filter(exchange -> exchange.process().equals(fault.process()))
                        .filter(exchange -> exchange.checkedAt() <= fault.until())
                        .reduce((earlier, later) -> later)
                        .ifPresent(exchange -> files.add(exchange.item()));
            }
        }
        return files;
    }

    private static List<Exchange> overlaps(History history) {
        TreeMap<Long, Long> firstUnder = firstUnder(history);
        return history.exchanges().stream()
                .filter(exchange -> exchange.checkedAt() > firstUnderLarger(firstUnder, exchange))
                .toList();
    }

    private static List<Exchange> lateEffects(History history) {
        TreeMap<Long, Long> firstUnder = firstUnder(history);
        return history.exchanges().stream()
                .filter(exchange -> exchange.checkedAt() <= firstUnderLarger(firstUnder, exchange))
                .filter(exchange -> exchange.wroteAfter(firstUnderLarger(firstUnder, exchange)))
                .toList();
    }

    /** Per token, when its first exchange was checked. */
    private static TreeMap<Long, Long> firstUnder(History history) {
        TreeMap<Long, Long> first = new TreeMap<>();
        history.exchanges().forEach(exchange -> first.merge(exchange.token(), exchange.checkedAt(), Math::min));
        return first;
    }

    private static long firstUnderLarger(TreeMap<Long, Long> firstUnder, Exchange exchange) {
        return firstUnder.tailMap(exchange.token(), false).values().stream()
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
    }

    private static boolean tokensAscending(History history) {
        Map<Long, String> users = new HashMap<>();
        long last = 0;
        for (Grant grant : history.grants()) {
            if (grant.token() <= last) {
                return false;
            }
            last = grant.token();
            users.put(grant.token(), grant.process());
        }
        for (Exchange exchange : history.exchanges()) {
            String user = users.putIfAbsent(exchange.token(), exchange.process());
            if (user != null && !user.equals(exchange.process())) {
                return false;
            }
        }
        return true;
    }
}
