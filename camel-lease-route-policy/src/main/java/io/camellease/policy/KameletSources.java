/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.PluginHelper;

/**
 * Routes that Camel makes of source kamelets. What polls in {@code from("kamelet:orders-source")} is a route of its own, which
 * Camel adds and the user never sees; it joins the lease of the route that uses it. Thread-safe.
 */
final class KameletSources implements RoutePolicyFactory, RoutePolicy {

    private static final String SCHEME = "kamelet:";
    private static final String COMPONENT = "org.apache.camel.component.kamelet.KameletComponent";

    /** By service; each sees to the routes that have their lease of it. */
    private final Map<LeaseService, LeaseRoutePolicy> policies = new ConcurrentHashMap<>();

    /** Whether the context can have kamelets. */
    static boolean areIn(CamelContext context) {
        return context.getClassResolver().resolveClass(COMPONENT) != null;
    }

    /** Whether the route consumes from a kamelet. */
    static boolean isUsedBy(Route route) {
        return isKamelet(route.getEndpoint());
    }

    private static boolean isKamelet(Endpoint endpoint) {
        return String.valueOf(endpoint.getEndpointUri()).startsWith(SCHEME);
    }

    /** Whether a route consumes from the kamelet that the other one was made of. */
    static boolean isUser(Route route, Route source) {
        return source.isCreatedByKamelet()
                && isUsedBy(route)
                && sourceRouteId(route).equals(source.getRouteId());
    }

    /** The id of the route that Camel makes of the kamelet that the route consumes from. */
    static String sourceRouteId(Route route) {
        Object id = PluginHelper.getBeanIntrospection(route.getCamelContext())
                .getOrElseProperty(route.getEndpoint(), "routeId", "", false);
        return String.valueOf(id);
    }

    /** Whose gates are those of kamelet sources that have their lease of that service. */
    LeaseRoutePolicy policyOf(LeaseService service) {
        return policies.computeIfAbsent(service, missing -> new LeaseRoutePolicy(route -> false));
    }

    @Override
    public RoutePolicy createRoutePolicy(CamelContext camelContext, String routeId, NamedNode route) {
        return this;
    }

    @Override
    public void onInit(Route route) {
        if (route.isCreatedByKamelet() && !isUsedBy(route)) {
            for (LeaseService service : route.getCamelContext().hasServices(LeaseService.class)) {
                service.runtime().leasing().leaseSource(route, policyOf(service));
            }
        }
    }

    @Override
    public void onRemove(Route route) {
        policies.values().forEach(policy -> policy.onRemove(route));
    }

    @Override
    public void onStart(Route route) {
        policies.values().forEach(policy -> policy.onStart(route));
    }

    @Override
    public void onStop(Route route) {
        policies.values().forEach(policy -> policy.onStop(route));
    }

    @Override
    public void onSuspend(Route route) {
        policies.values().forEach(policy -> policy.onSuspend(route));
    }

    @Override
    public void onResume(Route route) {
        policies.values().forEach(policy -> policy.onResume(route));
    }

    @Override
    public void onExchangeBegin(Route route, Exchange exchange) {
        policies.values().forEach(policy -> policy.onExchangeBegin(route, exchange));
    }

    @Override
    public void onExchangeDone(Route route, Exchange exchange) {
        policies.values().forEach(policy -> policy.onExchangeDone(route, exchange));
    }
}
