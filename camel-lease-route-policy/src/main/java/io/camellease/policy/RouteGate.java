/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.ServiceStatus;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.spi.RouteController;
import org.apache.camel.support.ScheduledPollConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leased route: whether its consumer runs, and whether an exchange may begin.
 *
 * <p>It is level-triggered: {@link #settle} compares what should be with what is and changes it, and looks again after every
 * step that can take time, so that an event that comes meanwhile is never missed. Thread-safe.
 */
final class RouteGate {

    private static final Logger LOG = LoggerFactory.getLogger(RouteGate.class);
    private static final int MAX_START_FAILURES = 5;
    private static final long NOT_THERE_YET_MILLIS = 50;
    private static final long STOP_SECONDS = 1;

    private enum Target {
        RUN,
        HOLD,
        STOP,
        AS_IT_IS
    }

    private final Route route;
    private final LeaseRoutePolicy owner;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final ExchangeGate exchanges;
    private final long claimIntervalMillis;

    /** Whether the author or an operator wants this route to run where the lease is. */
    private volatile boolean wanted;

    private volatile boolean suspendedByOperator;

    /** Whether the route went through a start since its last stop; Camel suspends and resumes one that did not as well. */
    private volatile boolean cameUp;

    private volatile boolean held;
    private volatile boolean ended;
    private volatile boolean drainGivenUp;
    private volatile @Nullable Thread acting;
    private int startFailures;

    private final AtomicInteger settling = new AtomicInteger();

    RouteGate(
            Route route,
            LeaseRoutePolicy owner,
            LeasedRoutes lease,
            RouteThreads threads,
            boolean wanted,
            long parkNanos,
            long claimIntervalMillis) {
        this.route = route;
        this.owner = owner;
        this.lease = lease;
        this.elector = lease.elector();
        this.threads = threads;
        this.wanted = wanted;
        this.claimIntervalMillis = claimIntervalMillis;
        this.exchanges = new ExchangeGate(route, elector, parkNanos, this::overrun);
    }

    Route route() {
        return route;
    }

    boolean isOwnedBy(LeaseRoutePolicy policy) {
        return owner == policy;
    }

    LeasedRoutes lease() {
        return lease;
    }

    boolean isWanted() {
        return wanted;
    }

    // ---- exchanges

    void begin(Exchange exchange) {
        exchanges.begin(exchange);
    }

    /** An exchange was refused: the batch it belongs to must end, and the consumer be looked after. Holds no lock. */
    private void overrun() {
        held = true;
        ConsumerFence.cutBatch(route.getConsumer());
        settle();
    }

    /** Puts the gate before the polls of the route's consumer; called right before each start of it. */
    void guard(Service service) {
        if (service == route.getConsumer() && service instanceof ScheduledPollConsumer consumer) {
            PollGate.install(consumer, exchanges::isOpen);
        }
    }

    // ---- what happens to the lease

    /** The grant is over. */
    void bar(Lease over) {
        shut(over);
        ended = true;
        hold();
    }

    /** Nothing begins under this grant any more. */
    void shut(Lease lease) {
        exchanges.bar(lease);
    }

    /** The lease is to be given back once the work in flight has ended. */
    void drain(Lease draining) {
        drainGivenUp = false;
        boolean completesAll = route.getShutdownRunningTask() == ShutdownRunningTask.CompleteAllTasks;
        if (lease.contextRuns() || !completesAll) {
            bar(draining);
        }
    }

    /** No work begins for now. */
    void hold() {
        held = true;
        ConsumerFence.raise(route.getConsumer());
    }

    /** Work in flight is not waited for any longer. */
    void giveUpDraining() {
        drainGivenUp = true;
        settle();
    }

    /** Whether nothing works in this route and nothing is about to. */
    boolean isQuiet() {
        return exchanges.active() == 0
                && route.getCamelContext().getInflightRepository().size(route.getRouteId()) == 0
                && ConsumerFence.pending(route.getConsumer()) == 0
                && route.getServices().stream().mapToInt(ConsumerFence::pending).sum() == 0;
    }

    // ---- what an operator does, by JMX, control bus, code or console

    void started() {
        cameUp = true;
        if (!isOurs()) {
            startedByHand();
        }
    }

    private void startedByHand() {
        wanted = true;
        suspendedByOperator = false;
        if (elector.lease().isEmpty()) {
            LOG.warn(
                    "Route '{}' was started by hand, but this node does not hold lease '{}': it runs when this node does",
                    route.getRouteId(),
                    elector.name());
        }
        lease.candidacy();
        settle();
    }

    void stopped() {
        cameUp = false;
        if (isOurs()) {
            return;
        }
        wanted = false;
        LOG.info(
                "Route '{}' was stopped by hand: it stays stopped on this node until it is started",
                route.getRouteId());
        lease.candidacy();
    }

    void suspended() {
        if (!isOurs()) {
            suspendedByOperator = true;
        }
    }

    void resumed() {
        if (!isOurs()) {
            suspendedByOperator = false;
            startedByHand();
        }
    }

    /** Whether a call of this gate, or of the context as a whole, brought the callback about. */
    private boolean isOurs() {
        return acting == Thread.currentThread() || !lease.contextRuns();
    }

    // ---- making it so

    /** Looks at what should be, and makes it so, on a thread that may block. */
    void settle() {
        exchanges.wake();
        if (settling.getAndIncrement() == 0) {
            threads.call(this::settleAll);
        }
    }

    private void settleAll() {
        int seen;
        do {
            seen = settling.get();
            step();
        } while (!settling.compareAndSet(seen, 0));
    }

    private void step() {
        acting = Thread.currentThread();
        try {
            switch (target()) {
                case RUN -> run();
                case HOLD -> hold();
                case STOP -> stop();
                case AS_IT_IS -> LOG.trace("Route '{}' stays as it is", route.getRouteId());
            }
        } catch (Exception failed) {
            startFailed(failed);
        } finally {
            acting = null;
        }
    }

    private Target target() {
        if (!lease.contextRuns()) {
            return Target.AS_IT_IS;
        }
        return switch (elector.state()) {
            case HELD, AT_RISK -> wanted && !suspendedByOperator ? Target.RUN : Target.AS_IT_IS;
            case SUSPENDED, DRAINING -> Target.HOLD;
            case WAITING, STOPPED -> Target.STOP;
        };
    }

    private void run() throws Exception {
        Optional<Lease> grant = elector.lease();
        ServiceStatus status = controller().getRouteStatus(route.getRouteId());
        if (grant.isEmpty()) {
            return;
        }
        if (status == null) {
            // a route that is being added is known to its policy before it is known to the context
            threads.later(NOT_THERE_YET_MILLIS, this::settle);
            return;
        }
        boolean consumerIsDown = ConsumerFence.status(route.getConsumer()).isStartable();
        if (ended || (status.isStoppable() && (consumerIsDown || !cameUp))) {
            stopRoute();
        }
        exchanges.open(grant.get());
        letGo();
        startFailures = 0;
        if (target() != Target.RUN) {
            hold();
            settle();
        }
    }

    private void letGo() throws Exception {
        boolean wasHeld = held;
        held = false;
        if (wasHeld) {
            ConsumerFence.lift(route.getConsumer());
        }
        if (!isUp(ConsumerFence.status(route.getConsumer()))) {
            controller().startRoute(route.getRouteId());
        }
    }

    private static boolean isUp(ServiceStatus status) {
        return status.isStarted() || status.isSuspended() || status.isStarting();
    }

    private void stop() throws Exception {
        if (ConsumerFence.status(route.getConsumer()) == ServiceStatus.Started) {
            hold();
        }
        if (isQuiet() || drainGivenUp) {
            stopRoute();
        }
    }

    private void stopRoute() throws Exception {
        ServiceStatus status = controller().getRouteStatus(route.getRouteId());
        boolean up = status != null && status.isStoppable();
        if (up || isUp(ConsumerFence.status(route.getConsumer()))) {
            controller().stopRoute(route.getRouteId(), STOP_SECONDS, TimeUnit.SECONDS);
        }
        ConsumerFence.mendBatch(route.getConsumer());
        held = false;
        ended = false;
    }

    private void startFailed(Exception why) {
        if (!lease.contextRuns()) {
            LOG.debug("Route '{}' was being started when the context began to stop", route.getRouteId(), why);
            return;
        }
        startFailures++;
        if (startFailures >= MAX_START_FAILURES) {
            LOG.error(
                    "Route '{}' could not be started {} times: lease '{}' is given away, so that another node can try",
                    route.getRouteId(),
                    startFailures,
                    elector.name(),
                    why);
            startFailures = 0;
            elector.giveAway();
        } else {
            long pause = claimIntervalMillis << (startFailures - 1);
            LOG.warn("Route '{}' could not be started; next try in {} ms", route.getRouteId(), pause, why);
            threads.later(pause, this::settle);
        }
    }

    private RouteController controller() {
        return route.getCamelContext().getRouteController();
    }
}
