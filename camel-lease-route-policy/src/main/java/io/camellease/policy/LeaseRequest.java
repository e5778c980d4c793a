/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.Optional;
import org.apache.camel.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A route that is to be leased.
 *
 * @param route as it is being set up
 * @param name of its lease
 * @param owner the policy that asked, which Camel tells of the route
 * @param options the policy whose options count
 * @param wanted whether it is to be started without being asked to
 * @param preferredNode label of the node on which it is to run if that node is there
 */
record LeaseRequest(
        Route route,
        LeaseName name,
        LeaseRoutePolicy owner,
        LeaseRoutePolicy options,
        boolean wanted,
        Optional<String> preferredNode) {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRoutePolicy.class);

    /** Says so if it prefers another node than the route that has had the lease first: one lease runs on one node. */
    void warnOfOtherNode(LeaseRequest first) {
        preferredNode
                .filter(label -> !first.preferredNode.equals(preferredNode))
                .ifPresent(label -> LOG.warn(
                        "Route '{}' prefers node '{}', which is ignored: it shares lease '{}' with route '{}', which was set up first"
                                + " and prefers {}. Let all of them say the same",
                        route.getRouteId(),
                        label,
                        name,
                        first.route.getRouteId(),
                        first.preferredNode.map(node -> "'" + node + "'").orElse("none")));
    }

    /** Whether it is about that very route and by that policy; a route that was replaced has the same id. */
    boolean isBy(LeaseRoutePolicy policy, Route asked) {
        return owner == policy && route == asked;
    }

    /**
     * Whether the consumer of a route can be started, held and stopped. Not so if other routes of this process call it: work in
     * flight must be able to go through it to its end.
     */
    static boolean controlsConsumer(Route route) {
        String uri = String.valueOf(route.getEndpoint().getEndpointUri());
        return !uri.startsWith("direct:") && !KameletSources.isUsedBy(route);
    }
}
