/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What must hold at every instant of a simulation, whatever goes wrong but for {@link Excuses}. The first violation is kept. Not thread-safe.
 */
final class Invariants {

    private final SimulatedCluster cluster;
    private final Excuses excuses;
    private final Map<LeaseName, Excuses.Grant> newestBegun = new HashMap<>();
    private long exchanges;
    private @Nullable String violation;
    private String broken = "";
    private boolean settled;

    Invariants(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.excuses = new Excuses(cluster, cluster.profile().settings());
    }

    Excuses excuses() {
        return excuses;
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
        LeaseName name = lease.name();
        long token = lease.token().value();
        Excuses.Grant before = excuses.grant(name, token);
        require(
                before == null || before.process().isSameAs(process) || excuses.mayRepeatToken(name),
                "one token has one holder",
                () -> lease + " was granted to another process before");
        long newest = excuses.largestToken(name);
        require(
                token > newest || before != null || excuses.mayRepeatToken(name),
                "tokens grow",
                () -> lease + " was granted after token " + newest);
        excuses.granted(process, name, token);
    }

    /** A listener is told something. */
    void told(SimulatedRoute route, LeaseEvent event, boolean inOrder, boolean onItsOwn) {
        require(inOrder, "events come in order", () -> route.process().holder() + " is told " + event);
        require(onItsOwn, "listeners are called on the events thread, one at a time", event::toString);
        require(
                !(event instanceof LeaseEvent.RecordWentBack)
                        || excuses.mayGoBack(route.elector().name()),
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
        require(!route.process().isClosed(), "no exchange begins after the client was closed", () -> who);
        inOrder(name, token, who);
        LeaseRecord record = cluster.store().latest(name);
        require(
                (record.isHeld() && record.token() == token) || excuses.isRecordAstray(name, token),
                "an exchange begins only while the store holds the lease for it",
                () -> who + " but the record is " + record);
    }

    private void inOrder(LeaseName name, long token, String who) {
        Excuses.Grant grant = excuses.grant(name, token);
        Excuses.Grant newest = newestBegun.get(name);
        require(grant != null, "whatever begins was granted", () -> who);
        boolean follows = grant != null
                && (newest == null
                        || newest.atNanos() <= grant.atNanos()
                        || excuses.isBroughtBack(name, token, newest.token()));
        if (grant != null && follows) {
            newestBegun.put(name, grant);
        } else if (newest != null) {
            require(
                    excuses.overlap(name, token, newest.token()),
                    "exchanges begin in the order of grants",
                    () -> who + " after token " + newest.token());
        }
    }

    /** Looks at all processes. Without streams, because it does so after every step. */
    void afterStep() {
        for (LeaseName name : cluster.leases()) {
            atMostOneMayBegin(name);
        }
        for (SimulatedProcess process : cluster.processes()) {
            require(
                    process.isAwake() || !process.hasGrant(),
                    "whoever holds a lease has something to wake up for",
                    () -> process.holder().value());
        }
    }

    private void atMostOneMayBegin(LeaseName name) {
        int holders = 0;
        for (SimulatedProcess process : cluster.processes()) {
            holders += mayHold(process, name) ? 1 : 0;
        }
        if (holders > 1) {
            atMostOneOfSeveral(name);
        }
    }

    private static boolean mayHold(SimulatedProcess process, LeaseName name) {
        return process.runs() && process.elector(name).lease().isPresent();
    }

    private void atMostOneOfSeveral(LeaseName name) {
        // only now, because looking may make an elector suspicious
        List<SimulatedProcess> passing = cluster.processes().stream()
                .filter(process ->
                        mayHold(process, name) && process.elector(name).check().isPresent())
                .sorted(Comparator.comparingLong(process -> token(process, name)))
                .toList();
        for (int older = 0; older < passing.size(); older++) {
            for (int newer = older + 1; newer < passing.size(); newer++) {
                atMostOneOf(name, passing.get(older), passing.get(newer));
            }
        }
    }

    private void atMostOneOf(LeaseName name, SimulatedProcess older, SimulatedProcess newer) {
        require(
                isExcused(name, older, newer),
                "at most one node may begin",
                () -> name + ": " + older.label() + " under " + token(older, name) + " and " + newer.label() + " under "
                        + token(newer, name));
    }

    private boolean isExcused(LeaseName name, SimulatedProcess older, SimulatedProcess newer) {
        boolean oneGrant = older.isSameAs(newer) && token(older, name) == token(newer, name);
        return oneGrant
                ? older.lineage().mayBeTwo(cluster.now())
                : excuses.overlap(name, token(older, name), token(newer, name));
    }

    private static long token(SimulatedProcess process, LeaseName name) {
        return process.elector(name).lease().map(lease -> lease.token().value()).orElse(0L);
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
