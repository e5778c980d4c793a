/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * For how long work lay about under a lease though a node could have done it: the store was well, and so was one and the same
 * node all the time. The wait begins anew when harm comes to the node that holds the lease, because then it must expire first.
 *
 * @param longest the longest wait, in nanoseconds
 * @param slowestStart how long the start of a node took at most, in nanoseconds
 * @param stuck waits that were longer than allowed, one sentence each
 */
record Waits(long longest, long slowestStart, List<String> stuck) {

    /** Consumer starts, polls, and the next file. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    /** How long a candidate watches a record before it trusts that nobody renews it, in hundredths of a ttl. */
    private static final int WATCH_PERCENT = 102;

    private static final int CLAIM_INTERVAL_PERCENT = 10;
    private static final int RECENT_TTLS = 3;

    Waits {
        stuck = List.copyOf(stuck);
    }

    /** Until the lease has expired and a candidate has looked. */
    private static Duration takeover(Duration ttl) {
        return ttl.multipliedBy(WATCH_PERCENT + CLAIM_INTERVAL_PERCENT).dividedBy(100);
    }

    /** What a wait may take beyond that: {@link #SLACK}, or as long as a node took to start meanwhile. */
    private static long slack(History history, Span wait) {
        return history.lives().stream()
                .filter(life -> life.start().meets(wait))
                .mapToLong(life -> startNanos(history, life))
                .reduce(SLACK.toNanos(), Math::max);
    }

    static Waits of(History history, Duration ttl) {
        List<String> stuck = new ArrayList<>();
        long longest = 0;
        Spans storeUp = storeUp(history, ttl);
        for (String lease : history.leases()) {
            Spans idle = WorkTime.waiting(history, lease)
                    .minus(WorkTime.busy(history, lease, ttl))
                    .and(storeUp);
            Collection<Long> restarts = restarts(history, lease, ttl);
            for (Life life : history.lives()) {
                List<Span> waits = idle.and(history.healthy(life)).cutAt(restarts);
                longest = Math.max(
                        longest, waits.stream().mapToLong(Span::nanos).max().orElse(0));
                waits.stream()
                        .filter(wait -> wait.nanos() > takeover(ttl).toNanos() + slack(history, wait))
                        .forEach(wait -> stuck.add("stuck: nobody worked under " + lease + " for "
                                + Duration.ofNanos(wait.nanos()).toMillis() + " ms from " + wait.from() + ", though "
                                + life.process() + " and the store were well"));
            }
        }
        return new Waits(longest, slowestStart(history), stuck);
    }

    private static long startNanos(History history, Life life) {
        return Spans.of(life.start()).minus(history.frozen(life.process())).list().stream()
                .mapToLong(Span::nanos)
                .sum();
    }

    private static long slowestStart(History history) {
        return history.lives().stream()
                .filter(life -> life.startedAt() != Span.OPEN)
                .mapToLong(life -> startNanos(history, life))
                .max()
                .orElse(0);
    }

    /** When the store was there, and the way to it. A store that came back empty is not trusted for one ttl by whoever knew what was in it. */
    static Spans storeUp(History history, Duration ttl) {
        long watch = ttl.multipliedBy(WATCH_PERCENT).dividedBy(100).toNanos();
        List<Span> down = history.harmsOfStore().stream()
                .map(harm -> harm.forgot() && harm.span().until() != Span.OPEN
                        ? new Span(harm.span().from(), harm.span().until() + watch)
                        : harm.span())
                .toList();
        return Spans.of(history.span()).minus(Spans.of(down)).minus(history.stalls(Stall.RUNNER));
    }

    private static Collection<Long> restarts(History history, String lease, Duration ttl) {
        List<Long> restarts = new ArrayList<>();
        long recent = ttl.multipliedBy(RECENT_TTLS).toNanos();
        for (Held grant : history.grants()) {
            if (grant.lease().equals(lease)) {
                ofHolder(history, grant, recent, restarts);
            }
        }
        for (Sight sight : history.sights()) {
            Span around = new Span(sight.at() - recent, sight.at() + ttl.toNanos());
            if (sight.lease().equals(lease) && isHarmed(history, sight.holder(), around)) {
                restarts.add(sight.at());
            }
        }
        return restarts.stream().sorted(Comparator.naturalOrder()).distinct().toList();
    }

    /** Harm to the holder, and the end of a grant that harm explains. */
    private static void ofHolder(History history, Held grant, long recent, List<Long> restarts) {
        String node = history.life(grant.process()).map(Life::node).orElse("");
        history.harms().stream()
                .filter(harm -> harm.target().equals(node)
                        && grant.span().contains(harm.span().from()))
                .forEach(harm -> restarts.add(harm.span().from()));
        Span before = new Span(grant.span().until() - recent, grant.span().until());
        if (grant.ending() != Held.Ending.OPEN
                && (isHarmed(history, node, before) || isHarmed(history, Schedule.STORE, before))) {
            restarts.add(grant.span().until());
        }
    }

    private static boolean isHarmed(History history, String target, Span span) {
        return history.harms().stream()
                .anyMatch(harm -> harm.target().equals(target) && harm.span().meets(span));
    }
}
