/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.Optional;
import org.apache.camel.Route;

/**
 * A route that is to be leased.
 *
 * @param route as it is being set up
 * @param name of its lease
 * @param owner the policy that asked
 * @param wanted whether it is to be started without being asked to
 * @param preferredNode label of the node on which it is to run if that node is there
 */
record LeaseRequest(
        Route route, LeaseName name, LeaseRoutePolicy owner, boolean wanted, Optional<String> preferredNode) {

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
