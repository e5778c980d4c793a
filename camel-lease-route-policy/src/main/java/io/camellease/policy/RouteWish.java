/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the author of a route, or an operator, wants it to run where its lease is. An operator uses JMX, the control bus, code or a
 * console, and all that is seen of that is that Camel started or stopped the route, as it also does for a lease. Thread-safe.
 */
final class RouteWish {

    private static final Logger LOG = LoggerFactory.getLogger(RouteWish.class);

    private final Route route;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final RouteSwitch routeSwitch;
    private final Extensions extensions;
    private final Runnable settle;
    private final boolean controlsConsumer;
    private volatile boolean wanted;
    private volatile boolean suspended;

    /**
     * What the author wants.
     *
     * @param settle looks at what should be, and makes it so; does not block
     */
    RouteWish(
            LeaseRequest request,
            LeasedRoutes lease,
            RouteThreads threads,
            RouteSwitch routeSwitch,
            Extensions extensions,
            Runnable settle) {
        this.route = request.route();
        this.lease = lease;
        this.elector = lease.elector();
        this.threads = threads;
        this.routeSwitch = routeSwitch;
        this.extensions = extensions;
        this.settle = settle;
        this.controlsConsumer = LeaseRequest.controlsConsumer(route);
        this.wanted = request.wanted();
    }

    /** Whether it is to have a lease, suspended or not. */
    boolean isWanted() {
        return wanted && lease.isUsed(route);
    }

    boolean isSuspended() {
        return suspended;
    }

    /** Whether it is to run now where its lease is. */
    boolean isToRun() {
        return isWanted() && !suspended && extensions.isTime();
    }

    // ---- what Camel says

    /**
     * Camel is about to start the consumer. It tells policies nothing of that if the route runs already, as one does for a moment
     * that was stopped by hand just before it was started here.
     */
    void starting() {
        if (!wanted && routeSwitch.isStarted() && !isOurs()) {
            startedByHand();
        }
    }

    void started() {
        routeSwitch.cameUp();
        if (!isOurs()) {
            startedByHand();
        } else if (!routeSwitch.isActing()) {
            settle.run();
        }
    }

    private void startedByHand() {
        wanted = true;
        suspended = false;
        // Camel itself starts one whose consumer is not controlled, wherever the lease is
        if (controlsConsumer && elector.lease().isEmpty() && !extensions.areSwitching()) {
            LOG.warn(
                    "Route '{}' was started by hand, but this node does not hold lease '{}': it runs when this node does",
                    route.getRouteId(),
                    elector.name());
        }
        lease.candidacy();
        lease.settleAll();
    }

    void stopped() {
        routeSwitch.wentDown();
        if (!isOurs() && extensions.areSwitching() && !extensions.isTime()) {
            stoppedBySchedule();
        } else if (!isOurs()) {
            stoppedByHand();
        } else if (!routeSwitch.isActing()) {
            // by the gate of a route that had the same id and is gone: it was late, and did not mean this one
            settle.run();
        }
    }

    /** Its time is over on every node. Nobody has to tell the others so: they wait as well, whoever has the lease by then. */
    private void stoppedBySchedule() {
        route.setAutoStartup(false);
        LOG.info("Route '{}' was stopped by its schedule, and runs again when that allows it", route.getRouteId());
        settle.run();
    }

    private void stoppedByHand() {
        route.setAutoStartup(false);
        wanted = false;
        LOG.info(
                "Route '{}' was stopped by hand: it stays stopped on this node until it is started",
                route.getRouteId());
        lease.candidacy();
        lease.settleAll();
    }

    void suspended() {
        if (!isOurs()) {
            suspended = true;
        }
    }

    void resumed() {
        if (!isOurs()) {
            startedByHand();
        }
    }

    /** Whether a call of a gate, or of the context as a whole, brought the callback about. */
    private boolean isOurs() {
        ServiceStatus context = route.getCamelContext().getStatus();
        boolean isChanging = context == ServiceStatus.Suspending || context == ServiceStatus.Starting;
        return threads.isOwn() || !lease.contextRuns() || isChanging;
    }
}
