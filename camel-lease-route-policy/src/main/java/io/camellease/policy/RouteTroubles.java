/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.Route;

/** What goes wrong with the routes of one lease, and gives it away for that. Thread-safe. */
final class RouteTroubles {

    private final LeaseElector elector;
    private final LeaseNews news;

    /** By route, in the order in which they came. */
    private final Map<String, String> newest = new LinkedHashMap<>();

    RouteTroubles(LeaseElector elector, LeaseNews news) {
        this.elector = elector;
        this.news = news;
    }

    /** The route could not be started under a grant. */
    void startFailed(Route route, Throwable why) {
        tell(
                LeaseCamelEvent.Reason.START_FAILED,
                note(route, RouteSecrets.of(route).in(why)));
    }

    /** The route could not be stopped, so that it stands in the way of the next grant. */
    void stopFailed(Route route, Throwable why) {
        var unused = note(route, RouteSecrets.of(route).in(why));
    }

    /** The route runs, or is none of this lease any more. */
    synchronized void forget(Route route) {
        newest.remove(route.getRouteId());
    }

    /** Lets another node have the lease, for the sake of one route. */
    void giveAway(Route route, String why) {
        tell(LeaseCamelEvent.Reason.GIVEN_AWAY, note(route, why));
        elector.giveAway();
    }

    /** An operator lets another node have the lease; nothing is wrong with its routes. */
    void handedOver() {
        tell(LeaseCamelEvent.Reason.GIVEN_AWAY, "handed over by an operator");
    }

    /** The last that has gone wrong and not right since. */
    synchronized Optional<String> newest() {
        return newest.values().stream().reduce((earlier, later) -> later);
    }

    private synchronized String note(Route route, String why) {
        String text = "route '" + route.getRouteId() + "': " + why;
        newest.remove(route.getRouteId());
        newest.put(route.getRouteId(), text);
        return text;
    }

    private void tell(LeaseCamelEvent.Reason reason, String detail) {
        news.tell(reason, elector.name(), elector.lease().orElse(null), detail);
    }
}
