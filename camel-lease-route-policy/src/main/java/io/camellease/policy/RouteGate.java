/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.ServiceStatus;
import org.jspecify.annotations.Nullable;

/**
 * One leased route: what its lease, its operator and its exchanges have to say to it. Whether its consumer runs is made so by a
 * {@link RouteReconciler}, whether an exchange may begin is said by an {@link ExchangeGate}. Thread-safe.
 */
final class RouteGate {

    private final LeaseRequest request;
    private final Route route;
    private final LeasedRoutes lease;
    private final RouteThreads threads;
    private final LeaseElector elector;
    private final boolean controlsConsumer;
    private final boolean hasQueue;
    private final long drainMillis;

    private final ConsumerFence fence;
    private final RouteSwitch routeSwitch;
    private final ExchangeGate exchanges;
    private final Extensions extensions;
    private final ConsumerStart start;
    private final ConnectionWatch connection;
    private final WorkInFlight work;
    private final RouteWish wish;
    private final RouteAim aim;
    private final RouteReconciler reconciler;
    private volatile long runsUnderToken;

    /** Whether a thread of the consumer, which is held, may still take one message from its queue. */
    private volatile boolean queueIsWatched;

    /** None before the route is warmed up for the first time. */
    private volatile @Nullable Aggregations aggregations;

    RouteGate(LeaseRequest request, LeasedRoutes lease, RouteThreads threads, LeaseSettings settings) {
        this.request = request;
        this.route = request.route();
        this.lease = lease;
        this.threads = threads;
        this.elector = lease.elector();
        this.controlsConsumer = LeaseRequest.controlsConsumer(route);
        this.hasQueue = QueuedWork.canBeAt(route);
        this.drainMillis = settings.drainTimeout().toMillis();
        this.fence = new ConsumerFence(route, request.options().holdBy(), threads);
        this.routeSwitch = new RouteSwitch(route, fence);
        this.exchanges = new ExchangeGate(route, elector, fence, settings, !controlsConsumer, this::overrun);
        this.extensions = new Extensions(request, elector, settings, this::isOpen);
        this.work = new WorkInFlight(route, exchanges, extensions, lease::contextRuns, this::aggregated);
        this.wish = new RouteWish(request, lease, threads, routeSwitch, extensions, this::settle);
        SourceWatch source = new SourceWatch(
                route, lease, threads, this::isHeldBack, settings.ttl().toMillis());
        this.start = new ConsumerStart(route, lease, threads, exchanges, extensions, source);
        this.connection = new ConnectionWatch(route, lease, threads, source, settings);
        this.aim = new RouteAim(lease, routeSwitch, fence, work, wish, extensions, controlsConsumer);
        this.reconciler = new RouteReconciler(this, lease, threads, routeSwitch, fence, work, aim, settings);
    }

    LeaseRequest request() {
        return request;
    }

    Route route() {
        return route;
    }

    Extensions extensions() {
        return extensions;
    }

    LeasedRoutes lease() {
        return lease;
    }

    boolean isOwnedBy(LeaseRoutePolicy policy) {
        return request.owner() == policy;
    }

    /** Whether its operator wants it to run, and what he does to it. */
    RouteWish wish() {
        return wish;
    }

    /** How it is at this instant. */
    LeaseStatus.RouteStatus status() {
        boolean wanted = wish.isToRun() && !lease.contextIsSuspended();
        boolean running = !controlsConsumer || fence.status() == ServiceStatus.Started;
        return new LeaseStatus.RouteStatus(route.getRouteId(), wanted, running);
    }

    /** Whether an exchange may begin, and the consumer runs. */
    private boolean isOpen() {
        return exchanges.isOpen() && fence.status() == ServiceStatus.Started;
    }

    /** Whether the lease, its operator or the context has suspended the consumer. */
    private boolean isHeldBack() {
        return routeSwitch.isHeld() || wish.isSuspended() || lease.contextIsSuspended();
    }

    // ---- what other routes of the lease wait for

    /** When it is to be started: routes without a number of their own come last, in no order. */
    int startupOrder() {
        return Objects.requireNonNullElse(route.getStartupOrder(), Integer.MAX_VALUE);
    }

    boolean runsUnder(Lease grant) {
        return runsUnderToken == grant.token().value();
    }

    /** Whether it still runs as under a grant that is over. */
    boolean isToBeCleared() {
        return controlsConsumer && !wish.isSuspended() && routeSwitch.isToBeCleared();
    }

    /** Whether its consumer is yet to be stopped. */
    boolean isUp() {
        return controlsConsumer && routeSwitch.isUp();
    }

    // ---- exchanges

    void begin(Exchange exchange) {
        boolean begins = false;
        try {
            if (extensions.begin(exchange)) {
                begins = exchanges.begin(exchange, extensions.hasBegun(exchange));
            } else {
                exchanges.refuse(exchange);
            }
        } finally {
            if (!begins) {
                extensions.refused(exchange);
            }
        }
    }

    void returned(Exchange exchange) {
        exchanges.returned(exchange);
    }

    /** Takes what was handed over under a lease out of the queue of a consumer that may not begin it. */
    void withdrawQueued(LeaseName handedOverUnder) {
        if (hasQueue && !exchanges.isOpen()) {
            QueuedWork.withdraw(route, handedOverUnder);
        }
    }

    /** Nothing may begin any more: a batch must end, and the consumer be looked after. Holds no lock. */
    private void overrun() {
        if (controlsConsumer) {
            routeSwitch.cutBatch();
        }
        settle();
    }

    /** A service of the route is about to start, whoever starts it. */
    void guard(Service service) {
        start.before(service);
        if (service == route.getConsumer()) {
            wish.starting();
            aggregations().ifPresent(Aggregations::giveBack);
            openBeforeItConsumes();
        } else if (controlsConsumer) {
            warmingUp();
        }
    }

    /** An operator may start it: what comes before that is noticed would be refused. */
    private void openBeforeItConsumes() {
        if (controlsConsumer && !routeSwitch.hasEnded() && extensions.isTime()) {
            elector.lease().filter(lease::isToldOf).ifPresent(exchanges::open);
        }
    }

    /** Camel starts all of the route but its consumer, as it does on every node. */
    private void warmingUp() {
        Aggregations found = aggregations;
        if (found == null) {
            found = Aggregations.of(route);
            aggregations = found;
        }
        found.withholdAtStart();
    }

    /** What is collected in the route, if it was warmed up and its consumer can be controlled. */
    Optional<Aggregations> aggregations() {
        return Optional.ofNullable(aggregations);
    }

    private int aggregated() {
        return aggregations().map(Aggregations::inWork).orElse(0);
    }

    // ---- what happens to the lease

    /** Exchanges may begin under that grant, unless it is barred already. */
    void open(Lease grant) {
        exchanges.open(grant);
    }

    /** The route runs under that grant; whether it did not before. */
    boolean runs(Lease grant) {
        extensions.opened(grant);
        boolean isNew = !runsUnder(grant);
        runsUnderToken = grant.token().value();
        if (isNew && controlsConsumer) {
            connection.begin(grant);
        }
        return isNew;
    }

    /** The grant is over. */
    void bar(Lease over) {
        shut(over);
        if (controlsConsumer) {
            routeSwitch.end(true);
        }
    }

    /** The context has forgotten the route, and may have another one of the same id already. */
    void removed() {
        aim.removed();
    }

    /** The route is leased no longer. */
    void close() {
        extensions.close();
        aggregations().ifPresent(Aggregations::close);
    }

    /** Nothing begins under this grant any more. */
    void shut(Lease grant) {
        extensions.shut();
        exchanges.bar(grant);
    }

    /** The lease is to be given back once the work in flight has ended. */
    void drain(Lease draining) {
        reconciler.giveUpDraining(false);
        extensions.shut();
        if (work.completesAll()) {
            return;
        }
        // what was pushed, or taken from a queue, is let in while the lease is there: to refuse it costs a delivery, or
        // the message
        if (hasQueue) {
            queueIsWatched = true;
            // a thread that waits at the queue for longer does not keep the lease from being given back
            threads.later(Math.min(QueuedWork.pollMillis(route), drainMillis / 2), () -> {
                shut(draining);
                queueIsWatched = false;
            });
        } else if (!fence.isPushed()) {
            shut(draining);
        }
        if (controlsConsumer) {
            // what is about to begin needs the consumer; the reconciler holds it afterwards
            routeSwitch.end(!extensions.areAboutToBegin());
        }
    }

    /** No work begins for now. */
    void hold() {
        extensions.shut();
        if (controlsConsumer) {
            routeSwitch.hold();
        }
    }

    /** Work in flight is not waited for any longer. */
    void giveUpDraining() {
        reconciler.giveUpDraining(true);
        settle();
    }

    /** Whether nothing works in this route, nothing is about to, and nothing is kept from another node. */
    boolean isQuiet() {
        return !queueIsWatched && work.isDone() && (!controlsConsumer || (fence.hasLetGo() && haveAggregationsLetGo()));
    }

    private boolean haveAggregationsLetGo() {
        return aggregations().map(Aggregations::haveLetGo).orElse(true);
    }

    /** Looks at what should be, and makes it so. */
    void settle() {
        exchanges.wake();
        reconciler.settle();
    }
}
