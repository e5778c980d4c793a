/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.core.LockResult;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.support.LifecycleStrategySupport;

/**
 * Ends what waits for a lock when its route is stopped: Camel waits for the exchanges of a route that it stops, and they would
 * wait for somebody else. Thread-safe.
 */
final class RouteStops extends LifecycleStrategySupport {

    private final Map<String, RouteStop> byRoute = new ConcurrentHashMap<>();

    /** Takes part in the stop of all routes that the context has or will have. */
    void follow(CamelContext context) {
        context.addLifecycleStrategy(this);
        onRoutesAdd(context.getRoutes());
    }

    @Override
    public void onRoutesAdd(Collection<Route> routes) {
        for (Route route : routes) {
            RouteStop stop = byRoute.computeIfAbsent(route.getRouteId(), id -> newStop(route));
            route.addService(stop);
            stop.admit();
        }
    }

    private static RouteStop newStop(Route route) {
        var shutdown = route.getCamelContext().getShutdownStrategy();
        return new RouteStop(route.getRouteId(), shutdown.getTimeUnit().toNanos(shutdown.getTimeout()));
    }

    @Override
    public void onRoutesRemove(Collection<Route> routes) {
        routes.forEach(route -> byRoute.remove(route.getRouteId()));
    }

    /** Ends the wait when the route that the exchange came from, or the one that it is in, is stopped. */
    void watch(Exchange exchange, LeaseName name, CompletableFuture<LockResult> wait) {
        Route at = ExchangeHelper.getRoute(exchange);
        Stream.of(exchange.getFromRouteId(), at == null ? null : at.getRouteId())
                .filter(Objects::nonNull)
                .distinct()
                .map(byRoute::get)
                .filter(Objects::nonNull)
                .forEach(stop -> stop.watch(name, wait));
    }
}
