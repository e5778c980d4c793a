/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.apache.camel.spi.RouteController;
import org.jspecify.annotations.Nullable;

/**
 * Starts, holds, lets go and stops one route, and knows in what state that left it. Holding is thread-safe and never blocks;
 * the rest is for one thread at a time, which may block.
 */
final class RouteSwitch {

    private static final long STOP_SECONDS = 1;

    private final Route route;
    private final ConsumerFence fence;
    private final AtomicInteger endings = new AtomicInteger();

    private volatile boolean held;

    /** Whether the route went through a start since its last stop; Camel suspends and resumes one that did not as well. */
    private volatile boolean cameUp;

    private volatile @Nullable Thread acting;
    private volatile int endingsSeen;

    RouteSwitch(Route route, ConsumerFence fence) {
        this.route = route;
        this.fence = fence;
    }

    // ---- holding

    /** Whether the consumer is held, or is about to be. */
    boolean isHeld() {
        return held;
    }

    /** Holds the consumer: no work begins for now. */
    void hold() {
        held = true;
        fence.raise();
        // again: a run that came in between knew nothing yet of what it has to lift
        held = true;
    }

    /** Ends a batch after the current exchange; to be called on the exchange's own thread. */
    void cutBatch() {
        held = true;
        fence.cutBatch();
        held = true;
    }

    /**
     * What it ran under is over, or is ending: the route has to be stopped and started before it runs again.
     *
     * @param holds whether the consumer is held until then from now on
     */
    void end(boolean holds) {
        endings.incrementAndGet();
        if (holds) {
            hold();
        }
    }

    // ---- what Camel says

    void cameUp() {
        cameUp = true;
        fence.cameUp();
    }

    void wentDown() {
        cameUp = false;
        fence.forget();
    }

    /** Whether the calling thread is in a call of this switch. */
    boolean isActing() {
        return acting == Thread.currentThread();
    }

    /** Whether the context has the route: its policy knows it earlier, and another one may have taken its id since. */
    boolean isThere() {
        Route known = route.getCamelContext().getRoute(route.getRouteId());
        // a route that was never warmed up is not known by its id yet, but has a status
        return known == route || (known == null && routeStatus() != null);
    }

    private @Nullable ServiceStatus status() {
        return isThere() ? routeStatus() : null;
    }

    private @Nullable ServiceStatus routeStatus() {
        return controller().getRouteStatus(route.getRouteId());
    }

    /** Whether Camel takes the route for started, whatever its consumer does. */
    boolean isStarted() {
        return status() == ServiceStatus.Started;
    }

    private boolean isConsumerUp() {
        ServiceStatus consumer = fence.status();
        return consumer.isStarted() || consumer.isSuspended() || consumer.isStarting();
    }

    private boolean isRouteUp() {
        ServiceStatus status = status();
        return status != null && status.isStoppable();
    }

    /** Whether there is anything to stop. */
    boolean isUp() {
        return isRouteUp() || isConsumerUp();
    }

    // ---- switching

    /** A step that calls Camel. */
    interface Step {
        void run() throws Exception;
    }

    /** Runs a step, during which {@link #isActing} is true for its thread. */
    void act(Step step) throws Exception {
        acting = Thread.currentThread();
        try {
            step.run();
        } finally {
            acting = null;
        }
    }

    /** Whether what it ran under is over, and it was not stopped since. */
    boolean hasEnded() {
        return endings.get() != endingsSeen;
    }

    /** Whether the route ran under something that is over, or its parts do not agree on whether it runs. */
    boolean isToBeCleared() {
        boolean torn = isRouteUp() ? !((isConsumerUp() || fence.isGone()) && cameUp) : isConsumerUp();
        return hasEnded() || torn;
    }

    /**
     * Makes the route run.
     *
     * @return false if its consumer is still being suspended or stopped, and the route has to be run later
     */
    boolean run() throws Exception {
        boolean wasHeld = held;
        held = false;
        if (wasHeld && !fence.lift()) {
            held = true;
            return false;
        }
        if (!isConsumerUp()) {
            controller().startRoute(route.getRouteId());
            // as long as it runs, Camel's health checks look at it and its consumer as at any other
            route.setAutoStartup(true);
        }
        return true;
    }

    /** Holds a consumer that runs. */
    void holdIfStarted() {
        if (fence.status() == ServiceStatus.Started) {
            hold();
        }
    }

    /** Stops the route, and says whether there was anything to stop. What is still in flight after a second is cut off. */
    boolean stop() throws Exception {
        int seen = endings.get();
        boolean changes = isToBeCleared() || isUp();
        if (isThere() && isUp()) {
            route.setAutoStartup(false);
            controller().stopRoute(route.getRouteId(), STOP_SECONDS, TimeUnit.SECONDS);
        }
        held = false;
        fence.forget();
        fence.mendBatch();
        endingsSeen = seen;
        return changes;
    }

    private RouteController controller() {
        return route.getCamelContext().getRouteController();
    }
}
