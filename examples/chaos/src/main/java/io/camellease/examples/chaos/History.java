/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the log says, put together.
 *
 * @param fed when each file was handed in, by item
 * @param works all exchanges, by the time at which the gate let them in
 * @param grants all grants, in the order in which they were told
 * @param lives all processes of nodes
 * @param harms all that was done
 * @param sights which holders were seen by nodes that waited
 * @param stalls when a process did not run though nobody had stopped it, and when one did that was frozen
 * @param failures lines of nodes and runner that tell of something that must not happen
 * @param span from the first line to the end of the quiet time, when the nodes are asked to stop
 * @param quietAt when harm ended
 */
record History(
        Map<String, Long> fed,
        List<Work> works,
        List<Held> grants,
        List<Life> lives,
        List<Harmed> harms,
        List<Sight> sights,
        List<Stall> stalls,
        List<String> failures,
        Span span,
        OptionalLong quietAt) {

    History {
        fed = Map.copyOf(fed);
        works = works.stream().sorted(Comparator.comparingLong(Work::checkedAt)).toList();
        grants = List.copyOf(grants);
        lives = List.copyOf(lives);
        harms = List.copyOf(harms);
        sights = List.copyOf(sights);
        stalls = List.copyOf(stalls);
        failures = List.copyOf(failures);
    }

    /** All leases that somebody was granted, worked under or handed files in for. */
    Set<String> leases() {
        Set<String> leases = new TreeSet<>();
        grants.forEach(grant -> leases.add(grant.lease()));
        works.forEach(work -> leases.add(work.lease()));
        fed.keySet().forEach(item -> leases.add(Work.lease(item)));
        return leases;
    }

    Optional<Life> life(String process) {
        return lives.stream().filter(life -> life.process().equals(process)).findFirst();
    }

    /** The grant that an exchange ran under, if its node was told of it. */
    Optional<Held> grantOf(Work work) {
        return grants.stream()
                .filter(grant -> grant.token() == work.token()
                        && grant.process().equals(work.process())
                        && grant.lease().equals(work.lease()))
                .findFirst();
    }

    /** When a process was frozen. */
    Spans frozen(String process) {
        return Spans.of(harms.stream()
                .filter(harm -> harm.harm() == Harm.FREEZE && harm.process().equals(process))
                .map(Harmed::span)
                .toList());
    }

    /** When a process was up and ran, and nothing was done to it or its connection that would excuse it. */
    Spans healthy(Life life) {
        List<Span> bad = harms.stream()
                .filter(harm -> harm.target().equals(life.node()) && harm.disables())
                .map(Harmed::span)
                .collect(Collectors.toList());
        return Spans.of(new Span(life.startedAt(), Math.min(life.askedAt(), span.until())))
                .minus(Spans.of(bad))
                .minus(stalls(life.process()));
    }

    /** When a process, or the runner, did not run though nobody had stopped it. */
    Spans stalls(String process) {
        return Spans.of(stalls.stream()
                .filter(stall -> stall.process().equals(process))
                .map(Stall::span)
                .toList());
    }

    /** When a process did not run: it was frozen, or the machine was too busy. */
    Spans stoodStill(String process) {
        return frozen(process).or(stalls(process));
    }

    /** What was done to the store. */
    List<Harmed> harmsOfStore() {
        return harms.stream().filter(Harmed::isOfStore).toList();
    }
}
