/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.List;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.VetoCamelContextStartException;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows the life of one CamelContext. Refuses its start when the leases cannot be set up: a node that runs its routes
 * without the lease that was asked for is worse than one that does not start.
 */
final class LeaseLifecycle extends LifecycleStrategySupport {

    static final String POLICY_BEAN = "lease";
    static final String SERVICE_BEAN = "leaseService";

    private @Nullable LeaseRoutePolicyFactory factory;

    private LeaseLifecycle() {}

    /** Adds one to the context, unless it has one. */
    static LeaseLifecycle addTo(CamelContext context) {
        for (Object strategy : context.getLifecycleStrategies()) {
            if (strategy instanceof LeaseLifecycle lifecycle) {
                return lifecycle;
            }
        }
        LeaseLifecycle lifecycle = new LeaseLifecycle();
        context.addLifecycleStrategy(lifecycle);
        return lifecycle;
    }

    @Override
    public void onContextInitializing(CamelContext context) throws VetoCamelContextStartException {
        orVeto(context, () -> {
            LeaseOptions options = new LeaseOptions();
            LeaseProperties.apply(context, options);
            boolean enabled = options.isEnabled();
            bindIfAbsent(context, SERVICE_BEAN, LeaseService.automatic());
            bindIfAbsent(context, POLICY_BEAN, new LeaseRoutePolicy());
            List<String> patterns = options.routePatterns();
            if (!patterns.isEmpty() && enabled && factory == null) {
                factory = new LeaseRoutePolicyFactory(patterns);
                context.addRoutePolicyFactory(factory);
            }
        });
    }

    private static void bindIfAbsent(CamelContext context, String name, Object bean) {
        if (context.getRegistry().lookupByName(name) == null) {
            context.getRegistry().bind(name, bean);
        }
    }

    @Override
    public void onContextStarting(CamelContext context) throws VetoCamelContextStartException {
        orVeto(context, () -> {
            LeaseRoutePolicyFactory patterns = factory;
            if (patterns != null && !patterns.unmatched().isEmpty()) {
                throw new IllegalArgumentException(
                        LeaseOption.ROUTES.property() + ": no route matches " + String.join(", ", patterns.unmatched())
                                + "; a route that should be leased would run on every node. For routes that are added later, set the "
                                + "policy on the routes themselves");
            }
            LeaseService.checkUnused(context);
        });
    }

    private static void orVeto(CamelContext context, Runnable step) throws VetoCamelContextStartException {
        try {
            step.run();
        } catch (RuntimeException failed) {
            String why = Objects.requireNonNullElseGet(failed.getMessage(), failed::toString);
            throw new VetoCamelContextStartException(why, failed, context, true);
        }
    }

    @Override
    public void onContextStarted(CamelContext context) {
        services(context).forEach(LeaseService::contextStarted);
    }

    @Override
    public void onContextStopping(CamelContext context) {
        services(context).forEach(LeaseService::contextStopping);
    }

    private static Iterable<LeaseService> services(CamelContext context) {
        return context.hasServices(LeaseService.class);
    }

    /** The last moment before a consumer starts, whoever starts it. */
    @Override
    public void onServiceAdd(CamelContext context, Service service, @Nullable Route route) {
        if (route != null) {
            services(context).forEach(leases -> leases.guard(service, route));
        }
    }
}
