/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.VetoCamelContextStartException;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.LifecycleStrategySupport;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the life of one CamelContext. Refuses its start when the leases cannot be set up: a node that runs its routes
 * without the lease that was asked for is worse than one that does not start.
 */
final class LeaseLifecycle extends LifecycleStrategySupport {

    static final String POLICY_BEAN = "lease";
    static final String SERVICE_BEAN = "leaseService";

    static final String CHECK_BEAN = "leaseCheck";

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLifecycle.class);

    private @Nullable LeaseRoutePolicyFactory factory;
    private final KameletSources kamelets = new KameletSources();
    private boolean followsSuspension;
    private volatile boolean switchedOff;

    /** Of the application; a context that is stopped and started again has lost it from its registry. */
    private @Nullable LeaseService service;

    /** All that the context had so far, in the order in which they came. */
    private final CopyOnWriteArrayList<LeaseService> served = new CopyOnWriteArrayList<>();

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
            switchedOff = !enabled;
            runtimes(context).forEach(LeaseRuntime::contextInitializing);
            LeaseService known = service;
            bindIfAbsent(context, SERVICE_BEAN, known != null ? known : LeaseService.automatic());
            bindIfAbsent(context, POLICY_BEAN, LeaseRoutePolicy.automatic());
            bindIfAbsent(context, CHECK_BEAN, new LeaseCheck());
            if (KameletSources.areIn(context)
                    && !context.getRoutePolicyFactories().contains(kamelets)) {
                context.addRoutePolicyFactory(kamelets);
            }
            List<String> patterns = options.routePatterns();
            if (!patterns.isEmpty() && enabled && factory == null) {
                factory = new LeaseRoutePolicyFactory(patterns);
                context.addRoutePolicyFactory(factory);
            }
            putFirst(context.getRoutePolicyFactories());
        });
    }

    /**
     * Lets leases see a route before others do: a supervising route controller has a factory of its own, which marks for a start
     * at boot whatever has auto-startup then.
     */
    private static void putFirst(List<RoutePolicyFactory> factories) {
        List<RoutePolicyFactory> own = factories.stream()
                .filter(any -> any instanceof LeaseRoutePolicyFactory || any instanceof KameletSources)
                .toList();
        factories.removeAll(own);
        factories.addAll(0, own);
    }

    private static void bindIfAbsent(CamelContext context, String name, Object bean) {
        if (context.getRegistry().lookupByName(name) == null) {
            context.getRegistry().bind(name, bean);
        }
    }

    /** Those with leased routes, in the order in which they came to the context, by their place in it. */
    SortedMap<Integer, LeaseService> leased() {
        SortedMap<Integer, LeaseService> leased = new TreeMap<>();
        for (LeaseService any : served) {
            if (!any.statuses().isEmpty()) {
                leased.put(served.indexOf(any), any);
            }
        }
        return leased;
    }

    /** Whether {@code camel.lease.enabled=false} was set when the context was initialized. */
    boolean isSwitchedOff() {
        return switchedOff;
    }

    KameletSources kamelets() {
        return kamelets;
    }

    /** From now on the context has a lease service. */
    void serve(CamelContext context, LeaseService added) {
        service = added;
        served.addIfAbsent(added);
        if (!followsSuspension) {
            followsSuspension = true;
            context.getManagementStrategy().addEventNotifier(new SuspensionNotifier());
        }
    }

    @Override
    public void onContextStarting(CamelContext context) throws VetoCamelContextStartException {
        orVeto(context, () -> {
            refuseUnmatched(context);
            LeaseServices.checkUnused(context);
            runtimes(context).forEach(LeaseRuntime::contextStarting);
        });
        FullyStarted.tell(context, () -> contextStarted(context));
    }

    private void refuseUnmatched(CamelContext context) {
        for (RoutePolicyFactory any : context.getRoutePolicyFactories()) {
            if (any instanceof LeaseRoutePolicyFactory patterns
                    && !patterns.unmatched().isEmpty()) {
                String option = patterns == factory ? LeaseOption.ROUTES.property() : "lease route policy factory";
                throw new IllegalArgumentException(option + ": no route matches "
                        + String.join(", ", patterns.unmatched())
                        + "; a route that should be leased would run on every node. A factory must be added before the"
                        + " routes. For routes that are added later, set the policy on the routes themselves");
            }
        }
    }

    private static void orVeto(CamelContext context, Runnable step) throws VetoCamelContextStartException {
        try {
            step.run();
        } catch (RuntimeException failed) {
            // a context whose start is vetoed does not stop its services
            services(context).forEach(ServiceHelper::stopService);
            String why = Objects.requireNonNullElseGet(failed.getMessage(), failed::toString);
            throw new VetoCamelContextStartException(why, failed, context, true);
        }
    }

    private static void contextStarted(CamelContext context) {
        runtimes(context).forEach(LeaseRuntime::contextStarted);
        context.getRegistry().findByTypeWithName(LeaseRoutePolicy.class).forEach(LeaseLifecycle::warnUnattached);
        for (LeaseService idle : services(context)) {
            idle.runtime().warnIfIdle();
        }
    }

    /** A policy that somebody made and forgot to refer to protects nothing. */
    private static void warnUnattached(String name, LeaseRoutePolicy policy) {
        if (!policy.isAttached() && !policy.isAutomatic()) {
            LOG.warn(
                    "The lease route policy '{}' is on no route: a route that should have it runs on every node. Refer to"
                            + " it in the route, with routePolicyRef",
                    name);
        }
    }

    @Override
    public void onContextStopping(CamelContext context) {
        runtimes(context).forEach(LeaseRuntime::contextStopping);
    }

    private static Stream<LeaseRuntime> runtimes(CamelContext context) {
        return context.hasServices(LeaseService.class).stream().map(LeaseService::runtime);
    }

    private static Iterable<LeaseService> services(CamelContext context) {
        return context.hasServices(LeaseService.class);
    }

    /** The last moment before a consumer starts, whoever starts it. */
    @Override
    public void onServiceAdd(CamelContext context, Service service, @Nullable Route route) {
        if (route != null) {
            services(context).forEach(leases -> leases.runtime().guard(service, route));
        }
    }
}
