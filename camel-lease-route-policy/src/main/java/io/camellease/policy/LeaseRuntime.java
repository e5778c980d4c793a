/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.ServiceStatus;
import org.apache.camel.health.HealthCheck;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link LeaseService} at work: follows the life of its context, opens the store in time and closes it, and knows the gates of
 * the routes. Thread-safe.
 */
final class LeaseRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);
    private static final long LISTENERS_MILLIS = 500;

    private final LeaseService service;
    private final RouteLeasing leasing = new RouteLeasing(this);
    private final ContextLife life = new ContextLife();
    private final Observers listeners = new Observers();
    private final LeaseNews news = new LeaseNews(this::context, listeners);
    private final List<Runnable> beforeStop = new CopyOnWriteArrayList<>();
    private final Map<String, List<HealthCheck>> checks = new ConcurrentHashMap<>();
    private final Exhibition exhibition;
    private volatile @Nullable RunningLeases running;

    LeaseRuntime(LeaseService service) {
        this.service = service;
        this.exhibition = new Exhibition(service, listeners);
        listeners.add(news);
    }

    // ---- the service

    void start() {
        if (!isEnabled()) {
            LeaseServices.warnOfNoLeases(context());
        } else if (!isContextBeingSetUp()) {
            var unused = open();
            if (context().isStarted()) {
                contextStarted();
            }
        }
    }

    /** Whether the context may still fail in a way in which it does not stop its services. */
    private boolean isContextBeingSetUp() {
        ServiceStatus status = service.context().getStatus();
        return status == null
                || status == ServiceStatus.Initializing
                || status == ServiceStatus.Initialized
                || status == ServiceStatus.Stopped;
    }

    /** Whether the store is not open, and may not be opened yet. */
    boolean waitsForContext() {
        return running == null && isContextBeingSetUp();
    }

    /** Opens the store, unless it is open, and leases the routes that were set up meanwhile. */
    synchronized RunningLeases open() {
        RunningLeases now = running;
        if (now == null) {
            now = setup().open(service.leaseThreads, life, listeners, news, exhibition::look);
            running = now;
            leasing.opened(now);
        }
        return now;
    }

    void stop() {
        RunningLeases ends = running;
        beforeStop.forEach(LeaseRuntime::runGuarded);
        beforeStop.clear();
        exhibition.close();
        if (ends != null) {
            warnIfContextGoesOn(ends);
            ends.close();
            listeners.awaitTold(LISTENERS_MILLIS);
            running = null;
        }
        life.started(false);
        life.suspended(false);
        leasing.clear();
    }

    /** Somebody stops the service alone. Its routes are not leased again, as nobody knows what they have done since. */
    private void warnIfContextGoesOn(RunningLeases ends) {
        if (context().isStarted() && !ends.requests().isEmpty()) {
            LOG.error(
                    "The lease service was stopped, and the context was not: routes {} begin nothing any more. Restart the"
                            + " context, also if you start the service again",
                    ends.requests().stream()
                            .map(request -> request.route().getRouteId())
                            .toList());
        }
    }

    /** What goes wrong there must not keep the leases from being given back. */
    private static void runGuarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failed) {
            LOG.error("What uses the leases of this context could not end", failed);
        }
    }

    boolean isEnabled() {
        return service.options.isEnabled();
    }

    /** Whether it is open for leases, or opens the store as soon as one is asked for. */
    boolean isRunning() {
        return running != null || (service.isStarted() && isEnabled());
    }

    /** Whether a context uses it, so that no other one can. */
    boolean isUsed() {
        return running != null || !leasing.isEmpty();
    }

    LeaseSetup setup() {
        return new LeaseSetup(service, service.context());
    }

    /** See {@link LeaseService#leaseName}. */
    LeaseName leaseName(String local) {
        return new LeaseName(setup().application() + "/" + local);
    }

    void addListener(LeaseListener listener) {
        listeners.add(listener);
    }

    void removeListener(LeaseListener listener) {
        listeners.remove(listener);
    }

    void beforeStop(Runnable step) {
        beforeStop.add(step);
    }

    /** The health checks of this service; of several in one context, their ids differ by the suffix. */
    Stream<HealthCheck> health(String suffix) {
        return checks
                .computeIfAbsent(
                        suffix,
                        missing -> List.of(
                                new LeaseHealthCheck.Readiness(service, missing),
                                new LeaseHealthCheck.Liveness(service, missing)))
                .stream();
    }

    // ---- the context

    /** The context is about to set up its routes, maybe again after it failed to. */
    void contextInitializing() {
        leasing.clear();
    }

    /** The context is about to start: from now on it stops this service if it fails. */
    void contextStarting() {
        LeaseHealthChecks.addTo(context());
        if (isEnabled()) {
            var unused = open();
        }
    }

    void contextStarted() {
        LeaseHealthChecks.addTo(context());
        life.started(true);
        exhibition.open();
        running().ifPresent(RunningLeases::contextChanged);
    }

    /** From now on Camel itself stops the routes; leases are kept until their work has ended, and nothing new is claimed. */
    void contextStopping() {
        life.started(false);
        running().ifPresent(RunningLeases::contextStopping);
    }

    void contextSuspended(boolean suspended) {
        life.suspended(suspended);
        running().ifPresent(RunningLeases::contextChanged);
    }

    /** Somebody configured a store, and then forgot to say for which routes; unless others than routes use it. */
    void warnIfIdle() {
        if (beforeStop.isEmpty() && running().filter(RunningLeases::isEmpty).isPresent()) {
            LOG.warn(
                    "The lease service has a store, but no route is leased: all routes run on every node. Set routePolicyRef"
                            + " on the routes, or {}",
                    LeaseOption.ROUTES.property());
        }
    }

    // ---- routes

    RouteLeasing leasing() {
        return leasing;
    }

    LeaseService service() {
        return service;
    }

    CamelContext context() {
        return service.context();
    }

    /** The leases, while the store is open. */
    Optional<RunningLeases> running() {
        return Optional.ofNullable(running);
    }

    /** Whether a route that has a policy must not run, because it has no lease here. */
    boolean mustRefuse(Route route) {
        return isEnabled() && gate(route).isEmpty();
    }

    Optional<RouteGate> gate(Route route) {
        return running().flatMap(now -> now.gate(route));
    }

    /** The gate of a route, if that policy put it there. */
    Optional<RouteGate> gate(Route route, LeaseRoutePolicy owner) {
        return running().flatMap(now -> now.gate(route, owner));
    }

    void guard(Service started, Route route) {
        gate(route).ifPresent(gate -> gate.guard(started));
    }
}
