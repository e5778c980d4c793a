/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.Secrets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one route run, wait or stop as its lease and its operator want it.
 *
 * <p>It is level-triggered: {@link #settle} compares what should be with what is and changes it, and looks again after every
 * step that can take time, so that an event that comes meanwhile is never missed. Thread-safe; steps are taken one at a time.
 */
final class RouteReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(RouteReconciler.class);
    private static final int MAX_FAILURES = 5;
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final RouteGate gate;
    private final Route route;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final RouteSwitch routeSwitch;
    private final ConsumerFence fence;
    private final WorkInFlight work;
    private final RouteAim aim;
    private final boolean controlsConsumer;
    private final long claimIntervalMillis;

    private final AtomicInteger settling = new AtomicInteger();
    private final AtomicBoolean looksAgain = new AtomicBoolean();
    private final AtomicBoolean waits = new AtomicBoolean();
    private volatile boolean drainGivenUp;
    private int failures;

    RouteReconciler(
            RouteGate gate,
            LeasedRoutes lease,
            RouteThreads threads,
            RouteSwitch routeSwitch,
            ConsumerFence fence,
            WorkInFlight work,
            RouteAim aim,
            LeaseSettings settings) {
        this.gate = gate;
        this.route = gate.route();
        this.lease = lease;
        this.elector = lease.elector();
        this.threads = threads;
        this.routeSwitch = routeSwitch;
        this.fence = fence;
        this.work = work;
        this.aim = aim;
        this.controlsConsumer = LeaseRequest.controlsConsumer(route);
        this.claimIntervalMillis = settings.claimInterval().toMillis();
    }

    /** Whether work in flight is not waited for any longer. */
    void giveUpDraining(boolean givenUp) {
        drainGivenUp = givenUp;
    }

    /** Looks at what should be, and makes it so, on a thread that may block. */
    void settle() {
        if (settling.getAndIncrement() > 0) {
            return;
        }
        try {
            threads.call(this::settleAll);
        } catch (Throwable noThread) {
            LOG.error(
                    "Route '{}' could not be started or stopped; trying again",
                    route.getRouteId(),
                    RouteSecrets.of(route).masked(noThread));
            settling.set(0);
            settleLater();
        }
    }

    private void settleLater() {
        if (looksAgain.compareAndSet(false, true)) {
            threads.later(LOOK_AGAIN_MILLIS, () -> {
                looksAgain.set(false);
                gate.settle();
            });
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
        try {
            routeSwitch.act(() -> {
                switch (aim.target()) {
                    case RUN -> switching(this::run);
                    case HOLD -> holdAndLetGo();
                    case STOP -> stop();
                    case WAIT -> waitForItsTime();
                    case AS_IT_IS -> LOG.trace("Route '{}' stays as it is", route.getRouteId());
                }
            });
        } catch (Throwable failed) {
            try {
                stepFailed(failed);
            } catch (Throwable again) {
                LOG.error(
                        "Route '{}' could not be started or stopped; trying again",
                        route.getRouteId(),
                        RouteSecrets.of(route).masked(again));
                settleLater();
            }
        }
    }

    // ---- making it so

    private void switching(RouteThreads.Switch part) throws Exception {
        if (!threads.switching(part)) {
            settleLater();
        }
    }

    private void run() throws Exception {
        Optional<Lease> grant = elector.lease();
        if (grant.isEmpty() || !lease.isToldOf(grant.get())) {
            return;
        }
        if (!routeSwitch.isThere() || !gate.extensions().areReady()) {
            settleLater();
            return;
        }
        if (clearUp() && lease.earlierOnesRun(gate, grant.get())) {
            startUnder(grant.get());
        }
    }

    /** Stops what still runs under an earlier grant; false if others are to be stopped first, which settle this one then. */
    private boolean clearUp() throws Exception {
        drainGivenUp = false;
        if (controlsConsumer && routeSwitch.isToBeCleared()) {
            if (!lease.laterOnesAreCleared(gate)) {
                return false;
            }
            if (routeSwitch.stop()) {
                lease.settleAll();
            }
        }
        return true;
    }

    private void startUnder(Lease grant) throws Exception {
        gate.open(grant);
        if (controlsConsumer && !routeSwitch.run()) {
            settleLater();
            return;
        }
        failures = 0;
        lease.troubles().forget(route);
        if (gate.runs(grant)) {
            lease.settleAll();
        }
        if (aim.target() != RouteAim.Target.RUN) {
            gate.hold();
            gate.settle();
        }
    }

    private void waitForItsTime() {
        gate.extensions().shut();
        if (waits.compareAndSet(false, true)) {
            threads.later(claimIntervalMillis, () -> {
                waits.set(false);
                gate.settle();
            });
        }
    }

    private void holdAndLetGo() {
        if (elector.state() == LeaseState.DRAINING && gate.extensions().areAboutToBegin()) {
            settleLater();
            return;
        }
        gate.hold();
        if (elector.state() == LeaseState.SUSPENDED && fence.isSuspendedByOther()) {
            // one that was stopped meanwhile could not be given back as it was
            return;
        }
        if (controlsConsumer && !hasLetGo()) {
            threads.later(LOOK_AGAIN_MILLIS, gate::settle);
        }
    }

    private boolean hasLetGo() {
        if (!fence.letGo(work::isDone)) {
            return false;
        }
        if (elector.state() != LeaseState.DRAINING || !lease.contextRuns()) {
            return true;
        }
        // or what their timers complete once the lease is given back, the next holder completes as well
        boolean isDone = work.isDone();
        if (isDone) {
            gate.aggregations().ifPresent(Aggregations::withhold);
        }
        return isDone;
    }

    /** Stops the consumer first, if that takes long, and then the route: that takes a lock of the whole context. */
    private void stop() throws Exception {
        if (!controlsConsumer) {
            return;
        }
        routeSwitch.holdIfStarted();
        boolean ends = drainGivenUp || work.isDone();
        if (ends && fence.letGo(() -> drainGivenUp || work.isDone())) {
            if (routeSwitch.hasEnded()) {
                // what they share belongs to the next holder, whatever this route waits for before it stops
                gate.aggregations().ifPresent(Aggregations::withhold);
            }
            // one that its own operator stops waits for no other; the lease may have come back since this step began
            boolean alone = elector.lease().isPresent() && !gate.wish().isToRun();
            if (alone || lease.laterOnesAreDown(gate)) {
                switching(this::stopRoute);
            }
        } else {
            // nobody else looks again: not for a consumer that has to stop first, nor if the lease is not being
            // given back, as for a route that was stopped by hand, or that Camel started before it was leased
            settleLater();
        }
    }

    private void stopRoute() throws Exception {
        // before the stop, at which some complete all that they have
        gate.aggregations().ifPresent(Aggregations::withhold);
        if (routeSwitch.stop()) {
            failures = 0;
            lease.settleAll();
        }
    }

    private void stepFailed(Throwable why) {
        if (!lease.contextRuns()) {
            LOG.debug(
                    "Route '{}' was being started or stopped when the context began to stop",
                    route.getRouteId(),
                    RouteSecrets.of(route).masked(why));
            return;
        }
        failures++;
        if (elector.lease().isEmpty()) {
            lease.troubles().stopFailed(route, why);
            tryAgain("stopped", why);
            return;
        }
        lease.troubles().startFailed(route, why);
        if (failures < MAX_FAILURES) {
            tryAgain("started", why);
        } else {
            giveAway(why);
        }
    }

    private void tryAgain(String step, Throwable why) {
        long pause = claimIntervalMillis << (Math.min(failures, MAX_FAILURES) - 1);
        Throwable told = RouteSecrets.of(route).masked(why);
        LOG.warn("Route '{}' could not be {}; next try in {} ms", route.getRouteId(), step, pause, told);
        threads.later(pause, gate::settle);
    }

    private void giveAway(Throwable why) {
        Secrets secrets = RouteSecrets.of(route);
        LOG.error(
                "Route '{}' could not be started {} times: lease '{}' is given away, so that another node can try",
                route.getRouteId(),
                failures,
                elector.name(),
                secrets.masked(why));
        failures = 0;
        lease.troubles().giveAway(route, "could not be started: " + secrets.in(why));
    }
}
