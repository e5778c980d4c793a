/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseCounts;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where this node stands with one lease, at one instant. For people and for health checks: no secret is in it, and no decision
 * of the lease reads it.
 *
 * @param name of the lease
 * @param state of this node
 * @param mayBegin whether an exchange may begin at that instant
 * @param paused whether an operator keeps this node from claiming it
 * @param holder who holds the lease, as far as this node knows; empty if nobody was seen to, or this node does not look
 * @param token the fencing token of that grant; 0 if none was seen, or this node does not look
 * @param remaining how long this node's grant lasts unless it is renewed: until E; zero if it has none
 * @param inState how long it has been in that state
 * @param store where the record is, without secrets
 * @param dialect in which way the store keeps it; empty if there is only one, or it is not known yet
 * @param lastError what went wrong last and has not gone right since; empty if all is well
 * @param routes of the lease, in the order in which they were added
 * @param counts what was asked of the store so far
 */
public record LeaseStatus(
        LeaseName name,
        LeaseState state,
        boolean mayBegin,
        boolean paused,
        Optional<String> holder,
        long token,
        Duration remaining,
        Duration inState,
        String store,
        String dialect,
        Optional<String> lastError,
        List<RouteStatus> routes,
        LeaseCounts counts) {

    public LeaseStatus {
        routes = List.copyOf(routes);
    }

    /**
     * One route of the lease.
     *
     * @param id of the route
     * @param wanted whether it is to run where the lease is held, as its author and its operators want it
     * @param running whether its consumer runs on this node
     */
    public record RouteStatus(String id, boolean wanted, boolean running) {}

    /** What this node is to the lease. */
    public LeaseRole role() {
        return LeaseRole.in(state);
    }

    /**
     * Why this node does not do what it holds the lease for; empty if it does, or does not hold it.
     *
     * @param patience how long after a grant its consumers may take to start, unless that fails
     */
    Optional<String> illness(Duration patience) {
        if (role() != LeaseRole.HOLDER || state == LeaseState.DRAINING) {
            return Optional.empty();
        }
        if (!mayBegin) {
            return Optional.of("holds lease '" + name + "', but could not renew it in time: nothing begins");
        }
        boolean starting = lastError.isEmpty() && inState.compareTo(patience) < 0;
        return routes.stream()
                .filter(route -> !starting && route.wanted() && !route.running())
                .findFirst()
                .map(route -> "holds lease '" + name + "', but route '" + route.id() + "' does not run");
    }
}
