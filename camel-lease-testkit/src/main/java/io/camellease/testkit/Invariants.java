/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every instant of a simulation, whatever goes wrong. The first violation is kept. Not thread-safe.
 *
 * <p>After a record was rewritten or the store's clock was stepped, a holder is only bound to find out before the end of its
 * lease, and only candidates that could see it happen are bound to wait for that long.
 */
final class Invariants {

    private record Upheaval(long untilNanos, Set<SimulatedProcess> informed) {}

    private final SimulatedCluster cluster;
    private final Map<LeaseName, Upheaval> upheavals = new HashMap<>();
    private final Map<LeaseName, Long> newestBegun = new HashMap<>();
    private final Map<LeaseName, Long> newestGranted = new HashMap<>();
    private final Map<LeaseName, Map<Long, SimulatedProcess>> grantedTo = new HashMap<>();
    private long exchanges;
    private @Nullable String violation;
    private String broken = "";
    private boolean settled;
    private boolean rewritten;

    Invariants(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    Optional<String> violation() {
        return Optional.ofNullable(violation);
    }

    /** The name of the invariant that was violated. */
    String broken() {
        return broken;
    }

    long exchanges() {
        return exchanges;
    }

    /** Nothing goes wrong any more and every lease is held: from now on none may be lost. */
    void settled(boolean nothingGoesWrong) {
        settled = nothingGoesWrong;
    }

    // ---- what voids guarantees

    /**
     * A record or the store's clock was changed behind the backs of all.
     *
     * @param informed who can see that it happened, once they look
     */
    void upheaval(LeaseName name, Set<SimulatedProcess> informed) {
        rewritten = true;
        Set<SimulatedProcess> all = new HashSet<>(informed);
        Upheaval before = upheavals.get(name);
        if (before != null && isRecent(before)) {
            all.retainAll(before.informed);
        }
        long ttl = cluster.profile().ttl();
        upheavals.put(name, new Upheaval(cluster.now() + ttl + ttl / 20, all));
    }

    private boolean isRecent(Upheaval upheaval) {
        return cluster.now() < upheaval.untilNanos;
    }

    private boolean isInUpheaval(LeaseName name) {
        Upheaval upheaval = upheavals.get(name);
        return upheaval != null && isRecent(upheaval);
    }

    /** Whether this process took a lease without a chance to know that it was too soon. */
    private boolean isExcused(LeaseName name, @Nullable SimulatedProcess newest) {
        Upheaval upheaval = upheavals.get(name);
        return upheaval != null && isRecent(upheaval) && (newest == null || !upheaval.informed.contains(newest));
    }

    // ---- what is watched

    /** A process sends a claim. */
    void claims(SimulatedProcess process, LeaseName name) {
        int running = process.route(name).running();
        require(
                running == 0,
                "no claim while exchanges of an earlier grant run",
                () -> process.holder() + " claims " + name + " with " + running + " exchanges running");
    }

    /** The store granted a lease, or repeated the grant. */
    void granted(SimulatedProcess process, Lease lease) {
        if (isExcused(lease.name(), process)) {
            // whoever follows one that came too early may, through no fault of its own, come too early as well
            Objects.requireNonNull(upheavals.get(lease.name())).informed.clear();
        }
        long token = lease.token().value();
        Map<Long, SimulatedProcess> grants = grantedTo.computeIfAbsent(lease.name(), none -> new HashMap<>());
        SimulatedProcess before = grants.putIfAbsent(token, process);
        require(
                before == null || before == process,
                "one token has one holder",
                () -> lease + " was granted to another process before");
        long newest = newestGranted.getOrDefault(lease.name(), 0L);
        require(
                token > newest || before == process || isInUpheaval(lease.name()),
                "tokens grow",
                () -> lease + " was granted after token " + newest);
        newestGranted.merge(lease.name(), token, Math::max);
    }

    /** A listener is told something. */
    void told(SimulatedRoute route, LeaseEvent event, boolean inOrder, boolean onItsOwn) {
        require(inOrder, "events come in order", () -> route.process().holder() + " is told " + event);
        require(onItsOwn, "listeners are called on the events thread, one at a time", event::toString);
        require(
                !(event instanceof LeaseEvent.RecordWentBack) || rewritten,
                "a record goes back only if it is rewritten",
                () -> route.process().holder() + " is told " + event);
        boolean trouble = event instanceof LeaseEvent.AtRisk
                || event instanceof LeaseEvent.Suspended
                || event instanceof LeaseEvent.Lost;
        require(
                !(settled && trouble),
                "a lease is kept while nothing goes wrong",
                () -> route.process().holder() + " is told " + event);
    }

    /** An exchange begins. */
    void begins(SimulatedRoute route, Lease lease, boolean isBarred) {
        exchanges++;
        LeaseName name = lease.name();
        long token = lease.token().value();
        String who = route.process().holder() + " begins under " + name + ":" + token;
        require(!isBarred, "no exchange begins under a grant that is over", () -> who);
        long newest = newestBegun.getOrDefault(name, 0L);
        require(
                token >= newest || isExcused(name, grantedTo(name, newest)),
                "exchanges begin in the order of tokens",
                () -> who + " after token " + newest);
        newestBegun.merge(name, token, Math::max);
        LeaseRecord record = cluster.store().latest(name);
        require(
                (record.isHeld() && record.token() == token) || isInUpheaval(name),
                "an exchange begins only while the store holds the lease for it",
                () -> who + " but the record is " + record);
    }

    private @Nullable SimulatedProcess grantedTo(LeaseName name, long token) {
        return grantedTo.getOrDefault(name, Map.of()).get(token);
    }

    /** Looks at all processes. */
    void afterStep() {
        for (LeaseName name : cluster.leases()) {
            atMostOneMayBegin(name);
        }
        for (SimulatedProcess process : cluster.processes()) {
            boolean holds = process.routes().values().stream()
                    .anyMatch(route -> route.elector().state().hasGrant());
            require(
                    !holds || process.isAwake(),
                    "whoever holds a lease has something to wake up for",
                    () -> process.holder().value());
        }
    }

    private void atMostOneMayBegin(LeaseName name) {
        List<SimulatedProcess> holders = cluster.processes().stream()
                .filter(process ->
                        process.runs() && process.elector(name).lease().isPresent())
                .toList();
        if (holders.size() < 2) {
            return;
        }
        // only now, because looking may make an elector suspicious
        List<SimulatedProcess> passing = holders.stream()
                .filter(process -> process.elector(name).check().isPresent())
                .toList();
        require(
                passing.size() < 2 || isExcused(name, newest(name, passing)),
                "at most one node may begin",
                () -> name + ": "
                        + passing.stream().map(SimulatedProcess::holder).toList());
    }

    private static @Nullable SimulatedProcess newest(LeaseName name, List<SimulatedProcess> passing) {
        SimulatedProcess newest = null;
        long token = -1;
        for (SimulatedProcess process : passing) {
            long its = process.elector(name)
                    .lease()
                    .map(each -> each.token().value())
                    .orElse(0L);
            if (its > token) {
                token = its;
                newest = process;
            }
        }
        return newest;
    }

    /** Notes a violation unless the condition holds. */
    void require(boolean holds, String invariant, Supplier<String> what) {
        if (!holds && violation == null) {
            broken = invariant;
            violation = invariant + ": " + what.get();
            cluster.trace().add("!!", violation);
        }
    }
}
