/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import io.camellease.policy.LeasedRoute;
import io.camellease.policy.LeasedRouteExtension;
import java.util.List;
import java.util.Optional;
import org.apache.camel.spi.RoutePolicy;

/**
 * Keeps a lease from starting a route outside the hours that a {@code CronScheduledRoutePolicy} or a {@code
 * SimpleScheduledRoutePolicy} on it allows, on whatever node the lease is. Found by itself when the module is on the class
 * path. Thread-safe.
 */
public final class ScheduledWindowExtension implements LeasedRouteExtension {

    private static final String SCHEDULED = "org.apache.camel.routepolicy.quartz.ScheduledRoutePolicy";

    /** For {@link java.util.ServiceLoader}. */
    public ScheduledWindowExtension() {}

    @Override
    public Optional<Extended> extend(LeasedRoute route) {
        List<RoutePolicy> policies = route.route().getRoutePolicyList();
        boolean isScheduled = policies != null && policies.stream().anyMatch(ScheduledWindowExtension::isScheduled);
        return isScheduled ? Optional.of(new ScheduledWindow(route)) : Optional.empty();
    }

    /** By name, because the component may be missing. */
    private static boolean isScheduled(RoutePolicy policy) {
        Class<?> type = policy.getClass();
        while (type != null && !type.getName().equals(SCHEDULED)) {
            type = type.getSuperclass();
        }
        return type != null;
    }
}
