/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.cluster.History.Harm;
import io.camellease.examples.cluster.History.Term;
import io.camellease.examples.cluster.History.Tick;
import io.camellease.examples.runner.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is wrong with a history. */
final class Verdict {

    /** Camel starts what {@code master:} leads a second after it leads. */
    private static final Duration MASTER_DELAY = Duration.ofSeconds(1);

    /** For a machine that has other things to do as well. */
    private static final Duration BUSY = Duration.ofSeconds(2);

    private static final int CLAIMS_PER_TTL = 10;

    private Verdict() {}

    /** Judges; the line of it has the figures, for people and scripts. */
    static Outcome of(History history, Duration ttl) {
        List<String> complaints = new ArrayList<>();
        List<String> together = leadersAtOnce(history);
        List<String> overlaps = overlaps(history);
        complaints.addAll(together);
        complaints.addAll(overlaps);
        for (String route : History.ROUTES) {
            complaints.addAll(complaintsAboutSuccessors(history, route, ttl));
        }
        String line = "RESULT ticks=" + history.ticks().size() + " terms="
                + history.terms().size()
                + " leaders_at_once=" + together.size() + " overlaps=" + overlaps.size()
                + " takeover_kill_ms=" + successions(history, true)
                + " handover_ms=" + successions(history, false);
        return new Outcome(line, complaints);
    }

    private static List<String> leadersAtOnce(History history) {
        List<String> complaints = new ArrayList<>();
        List<Term> terms = history.terms();
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            terms.stream()
                    .skip(i)
                    .filter(term::overlaps)
                    .forEach(other -> complaints.add(term.route() + ": " + term.process() + " and " + other.process()
                            + " led at the same time"));
        }
        return complaints;
    }

    private static List<String> overlaps(History history) {
        return history.ticks().stream()
                .flatMap(tick -> history.terms().stream()
                        .filter(term -> term.covers(tick) && !term.process().equals(tick.process()))
                        .map(term -> tick.route() + ": " + tick.process() + " worked while " + term.process() + " led"))
                .toList();
    }

    private static List<String> complaintsAboutSuccessors(History history, String route, Duration ttl) {
        List<String> complaints = new ArrayList<>();
        if (history.ticks().stream().noneMatch(tick -> tick.route().equals(route))) {
            complaints.add(route + ": nobody worked");
        }
        for (Harm harm : history.harms()) {
            Optional<Duration> took = history.successor(harm, route).map(tick -> since(harm, tick));
            Duration limit = harm.kill() ? takeoverLimit(ttl) : handoverLimit(ttl);
            String what = route + " after " + (harm.kill() ? "the kill of " : "the stop of ") + harm.process();
            if (took.isEmpty()) {
                complaints.add(what + ": nobody went on");
            } else if (took.get().compareTo(limit) > 0) {
                complaints.add(what + ": the next one worked after "
                        + took.get().toMillis() + " ms, not within " + limit.toMillis());
            }
        }
        return complaints;
    }

    /** The lease ends, a candidate looks for it, and Camel starts the route. */
    private static Duration takeoverLimit(Duration ttl) {
        return ttl.plus(ttl.dividedBy(CLAIMS_PER_TTL)).plus(MASTER_DELAY).plus(BUSY);
    }

    /** Less than a lease that is not given back would last: its last renewal is a third of its ttl ago at most. */
    private static Duration handoverLimit(Duration ttl) {
        return ttl.multipliedBy(2).dividedBy(3).plus(MASTER_DELAY);
    }

    private static Duration since(Harm harm, Tick tick) {
        return Duration.ofNanos(tick.at() - harm.from());
    }

    private static String successions(History history, boolean kill) {
        return history.harms().stream()
                .filter(harm -> harm.kill() == kill)
                .flatMap(harm -> History.ROUTES.stream()
                        .map(route -> route + ":"
                                + history.successor(harm, route)
                                        .map(tick ->
                                                String.valueOf(since(harm, tick).toMillis()))
                                        .orElse("never")))
                .collect(Collectors.joining(","));
    }
}
