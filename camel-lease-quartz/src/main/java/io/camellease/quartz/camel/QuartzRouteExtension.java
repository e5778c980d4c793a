/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import io.camellease.policy.LeasedRoute;
import io.camellease.policy.LeasedRouteExtension;
import java.util.Optional;
import org.apache.camel.DelegateEndpoint;
import org.apache.camel.Endpoint;

/**
 * Makes each scheduled time of a leased {@code quartz:} or {@code cron:} route run once in the cluster. Found by itself when
 * the module is on the class path. Thread-safe.
 */
public final class QuartzRouteExtension implements LeasedRouteExtension {

    private static final String QUARTZ_ENDPOINT = "org.apache.camel.component.quartz.QuartzEndpoint";

    /** For {@link java.util.ServiceLoader}. */
    public QuartzRouteExtension() {}

    @Override
    public Optional<Extended> extend(LeasedRoute route) {
        Endpoint endpoint = route.route().getEndpoint();
        while (endpoint instanceof DelegateEndpoint delegating) {
            endpoint = delegating.getEndpoint();
        }
        return isQuartz(endpoint) ? Optional.of(QuartzRoute.of(route, endpoint)) : Optional.empty();
    }

    /** By name, because the component may be missing. */
    private static boolean isQuartz(Endpoint endpoint) {
        Class<?> type = endpoint.getClass();
        while (type != null && !type.getName().equals(QUARTZ_ENDPOINT)) {
            type = type.getSuperclass();
        }
        return type != null;
    }
}
