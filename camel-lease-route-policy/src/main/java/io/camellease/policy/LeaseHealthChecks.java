/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.health.HealthCheckRepository;

/**
 * The health checks of the lease services of one context: {@code lease} for readiness, {@code lease-timer} for liveness. There
 * are none while no route is leased. Thread-safe.
 */
final class LeaseHealthChecks implements HealthCheckRepository {

    private static final String ID = "lease";

    private final CamelContext context;
    private volatile boolean enabled = true;

    private LeaseHealthChecks(CamelContext context) {
        this.context = context;
    }

    /** Adds them to the registry of the context, if it has one and they are not there yet. */
    static void addTo(CamelContext context) {
        HealthCheckRegistry registry = HealthCheckRegistry.get(context);
        if (registry != null && registry.getRepository(ID).isEmpty()) {
            registry.register(new LeaseHealthChecks(context));
        }
    }

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    @Override
    public Stream<HealthCheck> stream() {
        if (!enabled) {
            return Stream.empty();
        }
        // most contexts have one; of several, the others are told apart by their place in the context
        return LeaseLifecycle.addTo(context).leased().entrySet().stream()
                .flatMap(place ->
                        place.getValue().runtime().health(place.getKey() == 0 ? "" : "-" + (place.getKey() + 1)));
    }
}
