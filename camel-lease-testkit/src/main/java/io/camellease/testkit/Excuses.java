/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What lets a guarantee lapse in a simulation, for which grant, how long and in favour of whom: the limits that the page on
 * guarantees states, and nothing else. Not thread-safe.
 */
final class Excuses {

    /** The first time that the store made a grant. */
    record Grant(SimulatedProcess process, long token, long atNanos) {}

    /** A record was rewritten, or the store's clock went forward, behind the back of a holder and of some candidates. */
    private static final class Upheaval {
        private final long atNanos;
        private final long heldToken;
        private final Set<SimulatedProcess> informed;
        private boolean taken;

        Upheaval(long atNanos, long heldToken, Set<SimulatedProcess> informed) {
            this.atNanos = atNanos;
            this.heldToken = heldToken;
            this.informed = Set.copyOf(informed);
        }
    }

    private final SimulatedCluster cluster;
    private final long longestBlindNanos;
    private final long bandNanos;
    private final Map<LeaseName, Map<Long, Grant>> grants = new HashMap<>();
    private final Map<LeaseName, Grant> largest = new HashMap<>();
    private final Map<LeaseName, Grant> latest = new HashMap<>();
    private final Map<LeaseName, List<Upheaval>> upheavals = new HashMap<>();
    private final Map<LeaseName, Long> rewrittenAt = new HashMap<>();

    Excuses(SimulatedCluster cluster, LeaseSettings settings) {
        this.cluster = cluster;
        // until U by the slowest clock that is promised
        longestBlindNanos = settings.usableNanos() / 99 * 100;
        bandNanos = settings.clockBand().toNanos();
    }

    // ---- what happened

    /** The store made a grant, or repeated it. */
    void granted(SimulatedProcess process, LeaseName name, long token) {
        Grant grant = new Grant(process, token, cluster.now());
        if (grants.computeIfAbsent(name, none -> new HashMap<>()).putIfAbsent(token, grant) == null) {
            largest.merge(name, grant, (a, b) -> a.token() >= b.token() ? a : b);
            latest.put(name, grant);
            for (Upheaval upheaval : recent(name)) {
                upheaval.taken |= !upheaval.informed.contains(process);
            }
        }
    }

    /**
     * The store's clock went forward by more than its band, so that records expired early.
     *
     * @param informed who can see that it happened, once they look
     */
    void clockJumped(LeaseName name, Set<SimulatedProcess> informed) {
        recent(name).add(new Upheaval(cluster.now(), token(latest.get(name)), informed));
    }

    /**
     * A record was deleted or restored.
     *
     * @param token that the record had; not that of the latest grant if it was brought back by a restoration before
     * @param informed who can see that it happened, once they look
     */
    void rewritten(LeaseName name, long token, Set<SimulatedProcess> informed) {
        rewrittenAt.put(name, cluster.now());
        clockJumped(name, informed);
        if (token != token(latest.get(name))) {
            recent(name).add(new Upheaval(cluster.now(), token, informed));
        }
    }

    /** One of two clones gave back the grant of the other, or was given a new one in its place. */
    void endedByClone(LeaseName name, long token) {
        recent(name).add(new Upheaval(cluster.now(), token, Set.of()));
    }

    // ---- what is excused

    /**
     * Whether work under two grants may overlap: nothing has told the old holder yet, and the new one could not know, or
     * followed one that could not.
     */
    boolean overlap(LeaseName name, long token, long otherToken) {
        Grant one = grant(name, token);
        Grant other = grant(name, otherToken);
        if (one == null || other == null) {
            return false;
        }
        if (token == otherToken) {
            // see mayRepeatToken, without which this is found already when it is granted
            return isRecordAstray(name, token);
        }
        return one.atNanos() < other.atNanos() ? overlap(name, one, other) : overlap(name, other, one);
    }

    private boolean overlap(LeaseName name, Grant holder, Grant taker) {
        return recent(name).stream()
                .anyMatch(upheaval -> upheaval.heldToken == holder.token()
                        && taker.atNanos() >= upheaval.atNanos
                        && (upheaval.taken || !upheaval.informed.contains(taker.process())));
    }

    /** Whether a holder may not have noticed yet that the store does not hold the lease for it any more. */
    boolean isRecordAstray(LeaseName name, long token) {
        return recent(name).stream().anyMatch(upheaval -> upheaval.heldToken == token);
    }

    /**
     * Whether a copy of the records was restored in which the holder of an earlier grant, who has noticed nothing, still has the
     * lease.
     */
    boolean isBroughtBack(LeaseName name, long token, long laterToken) {
        Grant later = grant(name, laterToken);
        Long rewritten = rewrittenAt.get(name);
        return later != null
                && rewritten != null
                && rewritten >= later.atNanos()
                && cluster.store().latest(name).token() == token;
    }

    /** Whether a record was lost so soon after its grant that another node of the store may give its token again. */
    boolean mayRepeatToken(LeaseName name) {
        Grant before = largest.get(name);
        Long rewritten = rewrittenAt.get(name);
        return before != null
                && rewritten != null
                && rewritten >= before.atNanos()
                && cluster.now() - before.atNanos() <= bandNanos / 100 * 102 + 5_000_000;
    }

    /** Whether candidates may find an older record than they saw before. */
    boolean mayGoBack(LeaseName name) {
        return rewrittenAt.containsKey(name);
    }

    // ---- grants

    @Nullable
    Grant grant(LeaseName name, long token) {
        return grants.getOrDefault(name, Map.of()).get(token);
    }

    /** The largest token so far, or 0. */
    long largestToken(LeaseName name) {
        return token(largest.get(name));
    }

    private static long token(@Nullable Grant grant) {
        return grant == null ? 0 : grant.token();
    }

    private List<Upheaval> recent(LeaseName name) {
        List<Upheaval> all = upheavals.computeIfAbsent(name, none -> new ArrayList<>());
        all.removeIf(upheaval -> cluster.now() - upheaval.atNanos > longestBlindNanos);
        return all;
    }
}
