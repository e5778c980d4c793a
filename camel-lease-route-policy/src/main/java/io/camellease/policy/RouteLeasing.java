/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.support.PatternHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases the routes of one context as they are set up. Those that come before the store is open wait for that: until the
 * context starts it may fail without stopping its services. Thread-safe.
 */
final class RouteLeasing {

    /** With what the properties of a route begin that are about its lease. */
    private static final String PROPERTIES = "lease.";

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);

    private final LeaseRuntime runtime;
    private final List<LeaseRequest> waiting = new CopyOnWriteArrayList<>();

    RouteLeasing(LeaseRuntime runtime) {
        this.runtime = runtime;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Leases the routes that waited for the store. */
    void opened(RunningLeases running) {
        waiting.forEach(running::lease);
        waiting.clear();
    }

    /** Forgets the routes that wait. */
    void clear() {
        waiting.clear();
    }

    /**
     * Leases a route that is being set up.
     *
     * @param leaseName the name of the lease, or null for application/route id
     * @throws IllegalArgumentException if the name breaks the rule of {@link LeaseName}, or there is no application name
     */
    void lease(Route route, @Nullable String leaseName, LeaseRoutePolicy owner) {
        if (!runtime.isEnabled()) {
            return;
        }
        Optional<LeaseRequest> first = requestOf(route);
        if (first.isPresent()) {
            LOG.warn(
                    "Route '{}' has two lease policies: it runs by lease '{}' of the first one, and the second one with {} is"
                            + " ignored. Remove one of them",
                    route.getRouteId(),
                    first.get().name(),
                    leaseName == null ? "no leaseName" : "leaseName '" + leaseName + "'");
            return;
        }
        refuseTwoServices(route);
        refuseUnknownProperties(route);
        Optional<String> preferredNode = preferredNode(route, owner);
        if (runtime.running().isEmpty()) {
            runtime.setup().check(route.getRouteId(), preferredNode);
        } else {
            preferredNode.ifPresent(label -> OptionRules.checkPreferredNode(route.getRouteId(), label));
        }
        String local = route.getRouteId();
        LeaseName name = leaseName == null
                ? runtime.leaseName(local)
                : new LeaseName(LeaseProperties.resolve(context(), "leaseName", leaseName));
        warnOfGeneratedId(route, leaseName);
        LeaseRequest request = new LeaseRequest(route, name, owner, owner, isWanted(route), preferredNode);
        lease(request);
        if (KameletSources.isUsedBy(route)) {
            leaseRunningSource(request);
        }
    }

    private static void refuseUnknownProperties(Route route) {
        route.getProperties().keySet().stream()
                .filter(key -> key.startsWith(PROPERTIES) && !key.equals(LeaseConstants.PREFERRED_NODE))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException("unknown property " + key + " of route '" + route.getRouteId()
                            + "': the only one is " + LeaseConstants.PREFERRED_NODE);
                });
    }

    /** What the route itself says comes before what its policy says. */
    private Optional<String> preferredNode(Route route, LeaseRoutePolicy owner) {
        return Optional.ofNullable(route.getProperties().get(LeaseConstants.PREFERRED_NODE))
                .map(Object::toString)
                .or(() -> Optional.ofNullable(owner.getPreferredNode()))
                .map(text -> LeaseProperties.resolve(context(), "preferredNode", text)
                        .strip());
    }

    private void lease(LeaseRequest request) {
        if (LeaseRequest.controlsConsumer(request.route())) {
            request.route().setAutoStartup(false);
        }
        if (runtime.waitsForContext()) {
            waiting.add(request);
        } else {
            runtime.open().lease(request);
        }
    }

    /** Leases a route that Camel makes of a kamelet, together with the leased route that consumes from it, if there is one. */
    void leaseSource(Route source, LeaseRoutePolicy owner) {
        Stream<LeaseRequest> leased =
                runtime.running().stream().map(RunningLeases::requests).flatMap(List::stream);
        Stream.concat(waiting.stream(), leased)
                .filter(user -> KameletSources.isUser(user.route(), source))
                .findFirst()
                .ifPresent(user -> leaseSource(source, user, owner));
    }

    private void leaseSource(Route source, LeaseRequest user, LeaseRoutePolicy owner) {
        if (!isLeased(source)) {
            owner.use(runtime.service());
            lease(new LeaseRequest(source, user.name(), owner, user.options(), isWanted(source), user.preferredNode()));
        }
    }

    /** In a context that runs, Camel starts the route that it makes of a kamelet before the route that consumes from it is there. */
    private void leaseRunningSource(LeaseRequest user) {
        Route source = context().getRoute(KameletSources.sourceRouteId(user.route()));
        if (source != null) {
            leaseSource(source, user, LeaseLifecycle.addTo(context()).kamelets().policyOf(runtime.service()));
            runtime.gate(source).ifPresent(RouteGate::settle);
        }
    }

    /** Each would take what the other does to the route for the wish of an operator. */
    private void refuseTwoServices(Route route) {
        boolean isLeasedElsewhere = context().hasServices(LeaseService.class).stream()
                .map(service -> service.runtime().leasing())
                .anyMatch(leasing -> leasing != this && leasing.isLeased(route));
        if (isLeasedElsewhere) {
            throw new IllegalArgumentException(
                    "route '" + route.getRouteId()
                            + "' has lease policies of two lease services, and only one can decide where it runs: remove one of them");
        }
    }

    private boolean isLeased(Route route) {
        return requestOf(route).isPresent();
    }

    private Optional<LeaseRequest> requestOf(Route route) {
        return runtime.gate(route).map(RouteGate::request).or(() -> waiting.stream()
                .filter(request -> request.route() == route)
                .findFirst());
    }

    private static void warnOfGeneratedId(Route route, @Nullable String leaseName) {
        boolean named =
                Boolean.parseBoolean(String.valueOf(route.getProperties().get(Route.CUSTOM_ID_PROPERTY)));
        if (leaseName == null && !named) {
            LOG.warn(
                    "Route '{}' has no id of its own. Generated ids depend on the order of the routes: if that differs"
                            + " between nodes or versions, they lease different routes under one name. Give the route an id",
                    route.getRouteId());
        }
    }

    private boolean isWanted(Route route) {
        boolean contextStartsRoutes =
                context().isAutoStartup() || context().getRouteController().isSupervising();
        String excluded = context().getAutoStartupExcludePattern();
        return !Boolean.FALSE.equals(route.isAutoStartup())
                && contextStartsRoutes
                && (excluded == null || !PatternHelper.matchPatterns(route.getRouteId(), excluded.split(",", -1)));
    }

    void forget(Route route, LeaseRoutePolicy owner) {
        waiting.removeIf(request -> request.isBy(owner, route));
        Optional<RunningLeases> running = runtime.running();
        running.ifPresent(now -> now.forget(route, owner));
    }

    private CamelContext context() {
        return runtime.context();
    }
}
