/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When there was work to do under a lease, and when somebody did it. */
final class WorkTime {

    /** By how much work may take longer than it is meant to, on a machine that is busy. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private WorkTime() {}

    /** When a file waited for its work to be done; without files, since the first exchange. */
    static Spans waiting(History history, String lease) {
        Map<String, Long> fed = new HashMap<>();
        history.fed().forEach((item, at) -> {
            if (Work.lease(item).equals(lease)) {
                fed.put(item, at);
            }
        });
        if (fed.isEmpty()) {
            return history.works().stream()
                    .filter(work -> work.lease().equals(lease))
                    .findFirst()
                    .map(first ->
                            Spans.of(new Span(first.checkedAt(), history.span().until())))
                    .orElseGet(Spans::of);
        }
        Map<String, Long> done = firstDone(history);
        List<Span> waits = new ArrayList<>();
        fed.forEach((item, at) ->
                waits.add(new Span(at, done.getOrDefault(item, history.span().until()))));
        return Spans.of(waits);
    }

    private static Map<String, Long> firstDone(History history) {
        Map<String, Long> done = new HashMap<>();
        history.works().forEach(work -> work.doneAt().ifPresent(at -> done.merge(work.item(), at, Math::min)));
        return done;
    }

    /**
     * When an exchange was in flight in a process that ran, under a grant that was not over. One that takes much longer than its
     * work is meant to take hangs, and then nobody works.
     */
    static Spans busy(History history, String lease, Duration ttl) {
        Map<String, Spans> frozen = new HashMap<>();
        Map<String, Held> grants = new HashMap<>();
        history.grants().stream()
                .filter(grant -> grant.lease().equals(lease))
                .forEach(grant -> grants.put(grant.process() + grant.token(), grant));
        List<Span> busy = new ArrayList<>();
        history.works().stream()
                .filter(work -> work.lease().equals(lease))
                .sorted(Comparator.comparingLong(Work::checkedAt))
                .forEach(work -> {
                    Held grant = grants.get(work.process() + work.token());
                    long over = grant == null ? Span.OPEN : grant.span().until();
                    Span inFlight = new Span(work.checkedAt(), Math.min(over, end(history, work, ttl)));
                    Spans still = frozen.computeIfAbsent(work.process(), history::frozen);
                    busy.addAll(Spans.of(inFlight).minus(still).list());
                });
        return Spans.of(busy);
    }

    private static long end(History history, Work work, Duration ttl) {
        long end = work.overAt().orElseGet(() -> history.life(work.process())
                .map(Life::endedAt)
                .filter(ended -> ended != Span.OPEN)
                .orElse(history.span().until()));
        return Math.min(end, work.checkedAt() + longest(history, work, end, ttl));
    }

    /** How long the work is meant to take at most, not counting the time in which its process stood still. */
    private static long longest(History history, Work work, long end, Duration ttl) {
        Duration meant = work.lease().equals(Site.SLOW) ? Site.slow(ttl) : Duration.ZERO;
        long stood = history.stoodStill(work.process()).nanosWithin(new Span(work.checkedAt(), end));
        return meant.plus(SLACK).toNanos() + stood;
    }
}
