/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How long it took from harm to a holder to the first exchange of another node, in nanoseconds, ascending. Measured only under
 * leases that always have work, and only if the holder had been well for one ttl before, and the other node and the store were
 * well from then until that exchange.
 *
 * @param afterCrash from SIGKILL or SIGSTOP
 * @param afterCut from the fault of the connection
 * @param handovers from SIGTERM
 */
record Takeovers(List<Long> afterCrash, List<Long> afterCut, List<Long> handovers) {

    private static final Set<Harm> CRASHES = EnumSet.of(Harm.KILL, Harm.FREEZE);
    private static final Set<Harm> CUTS = EnumSet.of(Harm.REFUSE, Harm.BLACKHOLE, Harm.DELAY, Harm.HALF_OPEN);
    private static final Set<Harm> STOPS = EnumSet.of(Harm.STOP);

    Takeovers {
        afterCrash = List.copyOf(afterCrash);
        afterCut = List.copyOf(afterCut);
        handovers = List.copyOf(handovers);
    }

    /** @param steady leases that always have work */
    static Takeovers of(History history, Duration ttl, List<String> steady) {
        return new Takeovers(
                all(history, ttl, steady, CRASHES), all(history, ttl, steady, CUTS), all(history, ttl, steady, STOPS));
    }

    /**
     * The time below which the given part lies, for people: in milliseconds, or none.
     *
     * @param ascending the times
     * @param percent 1 to 100; 100 is the largest
     */
    static String percentile(List<Long> ascending, int percent) {
        if (ascending.isEmpty()) {
            return "none";
        }
        int rank = (int) Math.ceil(ascending.size() * percent / 100.0);
        return Long.toString(TimeUnit.NANOSECONDS.toMillis(ascending.get(rank - 1)));
    }

    private static List<Long> all(History history, Duration ttl, List<String> steady, Set<Harm> kinds) {
        List<Long> times = new ArrayList<>();
        Spans storeUp = Waits.storeUp(history, ttl);
        for (Harmed harm : history.harms()) {
            if (kinds.contains(harm.harm()) && !harm.isOfStore()) {
                history.grants().stream()
                        .filter(grant -> steady.contains(grant.lease())
                                && grant.process().equals(harm.process())
                                && grant.span().contains(harm.span().from()))
                        .forEach(grant ->
                                takeover(history, harm, grant, storeUp, ttl).ifPresent(times::add));
            }
        }
        times.sort(Comparator.naturalOrder());
        return times;
    }

    private static Optional<Long> takeover(History history, Harmed harm, Held grant, Spans storeUp, Duration ttl) {
        Optional<Held> next = history.grants().stream()
                .filter(other -> other.lease().equals(grant.lease()) && other.token() > grant.token())
                .min(Comparator.comparingLong(Held::token))
                .filter(other -> isCausedBy(history, harm, grant, other, ttl)
                        && wasWell(
                                history,
                                grant.process(),
                                storeUp,
                                new Span(
                                        harm.span().from() - ttl.toNanos(),
                                        harm.span().from())));
        return next.flatMap(taken -> history.works().stream()
                .filter(work -> work.lease().equals(grant.lease()) && work.token() == taken.token())
                .findFirst()
                .filter(work -> wasWell(
                        history, taken.process(), storeUp, new Span(harm.span().from(), work.checkedAt())))
                .map(work -> work.checkedAt() - harm.span().from()));
    }

    /** Not so if the holder recovered, and worked on under the same token, before it lost the lease for another reason. */
    private static boolean isCausedBy(History history, Harmed harm, Held grant, Held next, Duration ttl) {
        long lastLetIn = history.works().stream()
                .filter(work -> work.lease().equals(grant.lease()) && work.token() == grant.token())
                .mapToLong(Work::checkedAt)
                .max()
                .orElse(grant.span().from());
        return !next.process().equals(grant.process())
                && next.span().from() > harm.span().from()
                && lastLetIn < harm.span().until()
                && next.span().from() - ttl.multipliedBy(2).toNanos()
                        < harm.span().until();
    }

    private static boolean wasWell(History history, String process, Spans storeUp, Span span) {
        return storeUp.covers(span)
                && history.life(process)
                        .filter(life -> history.healthy(life).covers(span))
                        .isPresent();
    }
}
