/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Route;

/** What goes wrong with the routes of one lease, and gives it away for that. Thread-safe. */
final class RouteTroubles {

    private final LeaseElector elector;
    private final LeaseNews news;
    private final Map<String, String> newest = new ConcurrentHashMap<>();

    RouteTroubles(LeaseElector elector, LeaseNews news) {
        this.elector = elector;
        this.news = news;
    }

    /** The route could not be started or stopped. */
    void startFailed(Route route, Throwable why) {
        note(route, Secrets.of(route).in(why));
        tell(LeaseCamelEvent.Reason.START_FAILED, route);
    }

    /** The route runs. */
    void runs(Route route) {
        newest.remove(route.getRouteId());
    }

    /** Lets another node have the lease, for the sake of one route. */
    void giveAway(Route route, String why) {
        note(route, why);
        tell(LeaseCamelEvent.Reason.GIVEN_AWAY, route);
        elector.giveAway();
    }

    /** Something that has gone wrong and not right since. */
    Optional<String> newest() {
        return newest.values().stream().findFirst();
    }

    private void note(Route route, String why) {
        newest.put(route.getRouteId(), "route '" + route.getRouteId() + "': " + why);
    }

    private void tell(LeaseCamelEvent.Reason reason, Route route) {
        Lease grant = elector.lease().orElse(null);
        news.tell(reason, elector.name(), grant, newest.getOrDefault(route.getRouteId(), ""));
    }
}
