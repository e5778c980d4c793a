/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a route on one node at a time: on the one that holds the lease. The route's consumer is started after the lease was
 * granted, held back when it cannot be renewed, and started on another node after it expired.
 *
 * <p>Refer to it as {@code lease} ({@code routePolicyRef="lease"}), which is bound by itself, or make one:
 *
 * <pre>{@code
 * from("file:orders").routeId("orders").routePolicy(new LeaseRoutePolicy());
 * }</pre>
 *
 * <p>One instance may serve many routes; each has a lease of its own unless {@link #setLeaseName} names one for all. It is no
 * Camel service, so that it works under a supervising route controller as well, which starts services too late. Thread-safe
 * once configured.
 */
public final class LeaseRoutePolicy implements RoutePolicy, CamelContextAware {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRoutePolicy.class);

    private final Predicate<Route> applies;
    private final Map<LeaseOption, String> options = new ConcurrentHashMap<>();
    private @Nullable CamelContext camelContext;
    private @Nullable LeaseService leaseService;
    private @Nullable String leaseName;
    private @Nullable String preferredNode;
    private boolean automatic;
    private volatile boolean attached;
    private String holdBy = HoldBy.AUTO.toString();

    /** A policy with a lease of its own for each route. */
    public LeaseRoutePolicy() {
        this(route -> true);
    }

    /**
     * A policy with one lease.
     *
     * @param leaseName see {@link #setLeaseName}
     */
    public LeaseRoutePolicy(String leaseName) {
        this(route -> true);
        this.leaseName = leaseName;
    }

    LeaseRoutePolicy(Predicate<Route> applies) {
        this.applies = applies;
    }

    /** The policy of a context whose application makes none. */
    static LeaseRoutePolicy automatic() {
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.automatic = true;
        return policy;
    }

    boolean isAutomatic() {
        return automatic;
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return camelContext;
    }

    @Override
    public void setCamelContext(@Nullable CamelContext camelContext) {
        this.camelContext = camelContext;
    }

    /** The name of the lease, or null for a lease of each route's own. */
    public @Nullable String getLeaseName() {
        return leaseName;
    }

    /**
     * One lease for all routes of this policy, so that they run on the same node. By default each route has its own, called
     * application/route id.
     *
     * @param leaseName see {@link io.camellease.core.LeaseName}
     */
    public void setLeaseName(@Nullable String leaseName) {
        this.leaseName = leaseName;
    }

    /** The label of the node on which the routes are to run, or null if any will do. */
    public @Nullable String getPreferredNode() {
        return preferredNode;
    }

    /**
     * The node that is to have the leases of this policy if it is there when they are claimed: the others wait one claim interval
     * for it. A hint only: another node takes them if it is not there, and keeps them when it comes back. The route property
     * {@link LeaseConstants#PREFERRED_NODE} says it for one route.
     *
     * @param preferredNode what {@code camel.lease.node} is there, 1 to 150 characters; checked when a route is set up
     */
    public void setPreferredNode(@Nullable String preferredNode) {
        this.preferredNode = preferredNode;
    }

    /** See {@link LeaseConfiguration#setMissedFires}; for the routes of this policy only. */
    public void setMissedFires(String missedFires) {
        options.put(LeaseOption.MISSED_FIRES, missedFires);
    }

    /** See {@link LeaseConfiguration#setMissedFireLimit(String)}; for the routes of this policy only. */
    public void setMissedFireLimit(String missedFireLimit) {
        options.put(LeaseOption.MISSED_FIRE_LIMIT, missedFireLimit);
    }

    /** See {@link LeaseConfiguration#setRecoverInFlight}; for the routes of this policy only. */
    public void setRecoverInFlight(boolean recoverInFlight) {
        options.put(LeaseOption.RECOVER_IN_FLIGHT, Boolean.toString(recoverInFlight));
    }

    /** What was set for the routes of this policy only. */
    Optional<String> option(LeaseOption option) {
        return Optional.ofNullable(options.get(option));
    }

    /** How consumers are held back; see {@link #setHoldBy}. */
    public String getHoldBy() {
        return holdBy;
    }

    /**
     * How the consumer is held back while no work may begin, after the end of the lease or shortly before it.
     *
     * @param holdBy {@code suspend}: it keeps connections, prefetched messages or partitions, until the lease has ended for good;
     *     {@code stop}: it is suspended at once, and stopped as soon as its work in flight has ended, so that it keeps nothing;
     *     {@code auto}, the default: {@code stop} for consumers that keep something another node waits for, which are FTP, SFTP
     *     and all that do not poll, such as JMS and Kafka; {@code suspend} for the others. Checked when a route is set up
     */
    public void setHoldBy(String holdBy) {
        this.holdBy = holdBy;
    }

    HoldBy holdBy() {
        return HoldBy.of(holdBy);
    }

    /** The service that was set, or null if it is looked up. */
    public @Nullable LeaseService getLeaseService() {
        return leaseService;
    }

    /** Whose store and settings to use; by default the one of the context. */
    public void setLeaseService(@Nullable LeaseService leaseService) {
        this.leaseService = leaseService;
    }

    @Override
    public void onInit(Route route) {
        attached = true;
        if (applies.test(route)) {
            LeaseService service = service(route);
            service.runtime().leasing().lease(route, leaseName, this);
        }
    }

    /** Whether any route has this policy. */
    boolean isAttached() {
        return attached;
    }

    /** Uses a service although no route has asked for it. */
    void use(LeaseService service) {
        leaseService = service;
    }

    private LeaseService service(Route route) {
        LeaseService service = leaseService;
        if (service == null) {
            service = LeaseService.of(route.getCamelContext());
            leaseService = service;
        } else {
            service.addTo(route.getCamelContext());
        }
        return service;
    }

    private Optional<RouteGate> gate(Route route) {
        LeaseService service = leaseService;
        return service == null ? Optional.empty() : service.runtime().gate(route, this);
    }

    @Override
    public void onRemove(Route route) {
        LeaseService service = leaseService;
        if (service != null) {
            service.runtime().leasing().forget(route, this);
        }
    }

    @Override
    public void onStart(Route route) {
        gate(route).ifPresent(gate -> gate.wish().started());
    }

    @Override
    public void onStop(Route route) {
        gate(route).ifPresent(gate -> gate.wish().stopped());
    }

    @Override
    public void onSuspend(Route route) {
        gate(route).ifPresent(gate -> gate.wish().suspended());
    }

    @Override
    public void onResume(Route route) {
        gate(route).ifPresent(gate -> gate.wish().resumed());
    }

    @Override
    public void onExchangeBegin(Route route, Exchange exchange) {
        try {
            begin(route, exchange);
        } catch (Throwable failed) {
            // Camel would log it, and route the exchange as if it had been let in
            LOG.error("Route '{}': an exchange could not be checked, and is refused", route.getRouteId(), failed);
            ExchangeGate.refuse(exchange, "route '" + route.getRouteId() + "' could not see whether it may begin");
        }
    }

    private void begin(Route route, Exchange exchange) {
        Optional<RouteGate> gate = gate(route);
        LeaseService service = leaseService;
        if (gate.isPresent()) {
            gate.get().begin(exchange);
        } else if (applies.test(route) && (service == null || service.runtime().mustRefuse(route))) {
            // the context is going down, or was never told of the route:
            // a route that was to be protected never runs without
            ExchangeGate.refuse(exchange, "route '" + route.getRouteId() + "' has no lease now");
        }
    }

    @Override
    public void onExchangeDone(Route route, Exchange exchange) {
        // not called while the context stops, so the gate counts by completions instead
        gate(route).ifPresent(gate -> gate.returned(exchange));
    }
}
