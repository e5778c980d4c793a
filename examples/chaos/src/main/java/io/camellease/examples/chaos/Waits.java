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
 * @param slack what was allowed beyond the lease, at least: {@link #SLACK}, or as long as half of the nodes took to start, if
 *     that is longer, because then the machine is slow
 * @param stuck waits that were longer than allowed, one sentence each
 */
record Waits(long longest, Duration slack, List<String> stuck) {

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

    /** The median of the nodes' starts, or {@link #SLACK} if that is longer. */
    private static Duration slack(History history) {
        List<Long> starts = history.lives().stream()
                .filter(life -> life.startedAt() != Span.OPEN)
                .map(Life::startNanos)
                .sorted()
                .toList();
        return starts.isEmpty() ? SLACK : longer(SLACK, Duration.ofNanos(starts.get(starts.size() / 2)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    static Waits of(History history, Duration ttl) {
        List<String> stuck = new ArrayList<>();
        long longest = 0;
        Duration slack = slack(history);
        Spans storeUp = storeUp(history, ttl);
        for (String lease : history.leases()) {
            Spans idle = WorkTime.waiting(history, lease)
                    .minus(WorkTime.busy(history, lease))
                    .and(storeUp);
            Collection<Long> restarts = restarts(history, lease, ttl);
            for (Life life : history.lives()) {
                Duration allowed = takeover(ttl).plus(longer(slack, Duration.ofNanos(life.startNanos())));
                List<Span> waits = idle.and(history.healthy(life)).cutAt(restarts);
                longest = Math.max(
                        longest, waits.stream().mapToLong(Span::nanos).max().orElse(0));
                waits.stream()
                        .filter(wait -> wait.nanos() > allowed.toNanos())
                        .forEach(wait -> stuck.add("stuck: nobody worked under " + lease + " for "
                                + Duration.ofNanos(wait.nanos()).toMillis() + " ms from " + wait.from() + ", though "
                                + life.process() + " and the store were well"));
            }
        }
        return new Waits(longest, slack, stuck);
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
