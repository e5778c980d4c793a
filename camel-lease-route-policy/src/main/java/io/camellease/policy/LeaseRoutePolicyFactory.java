/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.PatternHelper;

/**
 * Gives a {@link LeaseRoutePolicy} to all routes that match a pattern. Thread-safe.
 *
 * <p>A pattern is matched against the route id as Camel does everywhere: exactly, with {@code *} at the end, or as a regular
 * expression; {@code group:NAME} is matched against the route's group.
 */
public final class LeaseRoutePolicyFactory implements RoutePolicyFactory {

    private static final String GROUP = "group:";

    private final List<String> patterns;
    private final Set<String> matched = ConcurrentHashMap.newKeySet();
    private final LeaseRoutePolicy policy = new LeaseRoutePolicy(this::matches);

    /**
     * A factory for the given patterns.
     *
     * @throws IllegalArgumentException if there is none
     */
    public LeaseRoutePolicyFactory(List<String> patterns) {
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("a lease route policy factory needs at least one route pattern");
        }
        this.patterns = List.copyOf(patterns);
    }

    /** The one policy of this factory, which looks at each route by itself: a route's group is not known earlier. */
    @Override
    public RoutePolicy createRoutePolicy(CamelContext camelContext, String routeId, NamedNode route) {
        return policy;
    }

    /** The patterns that no route has matched yet. */
    public List<String> unmatched() {
        return patterns.stream().filter(pattern -> !matched.contains(pattern)).toList();
    }

    private boolean matches(Route route) {
        boolean any = false;
        for (String pattern : patterns) {
            if (matches(route, pattern)) {
                matched.add(pattern);
                any = true;
            }
        }
        return any;
    }

    private static boolean matches(Route route, String pattern) {
        if (!pattern.startsWith(GROUP)) {
            return PatternHelper.matchPattern(route.getRouteId(), pattern);
        }
        return route.getGroup() != null
                && PatternHelper.matchPattern(route.getGroup(), pattern.substring(GROUP.length()));
    }
}
