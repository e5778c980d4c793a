/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.camel.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All routes of one lease: passes on what happens to the lease, and gives it back when all of them are quiet. Thread-safe. */
final class LeasedRoutes implements LeaseListener, QuietWatch.Work {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedRoutes.class);
    private static final int STARTS_WITHIN_TTLS = 3;
    private static final long QUIET_CHECK_MILLIS = 20;

    private final LeaseElector elector;
    private final LeaseSettings settings;
    private final RouteThreads threads;
    private final ContextState context;
    private final Consumer<LeaseName> withdrawQueued;
    private final Consumer<LeasedRoutes> dropIfOver;
    private volatile long toldToken;
    private final List<RouteGate> gates = new CopyOnWriteArrayList<>();

    /** Gates of routes that were removed while work of theirs was still in flight. */
    private final List<RouteGate> leaving = new CopyOnWriteArrayList<>();

    private final QuietWatch quiet;
    private final RouteTroubles troubles;
    private volatile boolean paused;

    /** Held while it is decided whether this node is a candidate. Neither an elector nor a wish waits for anything. */
    private final Object candidate = new Object();

    /**
     * A lease without routes.
     *
     * @param newElector makes its elector, which tells the given listener
     * @param withdrawQueued gives what waits in memory, and was handed over under a lease, back to its source
     * @param dropIfOver is told when there may be no more use for this lease
     */
    LeasedRoutes(
            Function<LeaseListener, LeaseElector> newElector,
            LeaseSettings settings,
            RouteThreads threads,
            ContextState context,
            LeaseNews news,
            Consumer<LeaseName> withdrawQueued,
            Consumer<LeasedRoutes> dropIfOver) {
        this.settings = settings;
        this.threads = threads;
        this.context = context;
        this.withdrawQueued = withdrawQueued;
        this.dropIfOver = dropIfOver;
        this.elector = newElector.apply(this);
        this.troubles = new RouteTroubles(elector, news);
        this.quiet = new QuietWatch(this, threads, settings.drainTimeout().toMillis());
    }

    LeaseElector elector() {
        return elector;
    }

    void add(RouteGate gate) {
        gates.add(gate);
    }

    void remove(RouteGate gate) {
        gate.removed();
        troubles.forget(gate.route());
        elector.lease().ifPresent(gate::shut);
        leaving.add(gate);
        gates.remove(gate);
        candidacy();
        leaving.removeIf(RouteGate::isQuiet);
        settleAll();
        dropWhenOver();
    }

    /** Looks now and then, until this lease has ended or has a route again. */
    private void dropWhenOver() {
        // asked before, since it may become so right after it was not dropped for that
        boolean isOver = isOver();
        dropIfOver.accept(this);
        if (gates.isEmpty() && !paused && !isOver) {
            threads.later(QUIET_CHECK_MILLIS, this::dropWhenOver);
        }
    }

    /** Whether this lease has no routes, nothing works under it, it is not held, and no operator keeps this node from it. */
    boolean isOver() {
        return gates.isEmpty()
                && !paused
                && !quiet.isWatching()
                && leaving.stream().allMatch(RouteGate::isQuiet)
                && elector.state() == LeaseState.STOPPED;
    }

    /** Whether the context is up and its routes may be started and stopped. */
    boolean contextRuns() {
        return context.runs();
    }

    boolean contextIsSuspended() {
        return context.isSuspended();
    }

    /**
     * A route of this lease is wanted, or not wanted any more: be a candidate exactly while one is. In a context that is
     * suspended no route can start; what it holds it keeps, but nothing is claimed for it.
     */
    void candidacy() {
        // or who has looked earlier might have the last word
        synchronized (candidate) {
            boolean mayClaim = !mayNotClaim() || elector.state().hasGrant();
            if (contextRuns()
                    && mayClaim
                    && gates.stream().anyMatch(gate -> gate.wish().isWanted())) {
                elector.start();
            } else {
                elector.stop();
            }
        }
    }

    /** Whether somebody wants what a route takes in: nobody does of a kamelet whose routes that use it are not to run. */
    boolean isUsed(Route route) {
        List<RouteWish> users = gates.stream()
                .filter(gate -> KameletSources.isUser(gate.route(), route))
                .map(RouteGate::wish)
                .toList();
        return users.isEmpty() || users.stream().anyMatch(RouteWish::isWanted);
    }

    private boolean mayNotClaim() {
        return context.isSuspended() || paused;
    }

    /** Whether an operator keeps this node from claiming the lease; what it holds it keeps. */
    boolean isPaused() {
        return paused;
    }

    void pause(boolean nowPaused) {
        paused = nowPaused;
        LOG.info(
                "Lease '{}': an operator lets this node {}",
                elector.name(),
                nowPaused ? "claim it no more" : "claim it again");
        candidacy();
        dropIfOver.accept(this);
    }

    /** Lets another node have it; returns whether this node holds it. */
    boolean handOver() {
        boolean holds = elector.state().hasGrant();
        if (holds) {
            troubles.handedOver();
        }
        elector.giveAway();
        return holds;
    }

    /** Gives the lease back once its work has ended, and is a candidate again at once if it was one. */
    void release() {
        synchronized (candidate) {
            elector.stop();
            candidacy();
        }
    }

    /** What goes wrong with its routes. */
    RouteTroubles troubles() {
        return troubles;
    }

    List<RouteGate> gates() {
        return gates;
    }

    // ---- the order of routes

    /** Whether all routes that are to be started before that one run under the grant. */
    boolean earlierOnesRun(RouteGate one, Lease grant) {
        return gates.stream()
                .filter(gate -> gate.startupOrder() < one.startupOrder())
                .allMatch(gate -> gate.runsUnder(grant) || !gate.wish().isToRun());
    }

    /** Whether all routes that are to be stopped before that one ended what they did under an earlier grant. */
    boolean laterOnesAreCleared(RouteGate one) {
        return laterThan(one).noneMatch(RouteGate::isToBeCleared);
    }

    /** Whether all routes that are to be stopped before that one are down. */
    boolean laterOnesAreDown(RouteGate one) {
        return laterThan(one).noneMatch(RouteGate::isUp);
    }

    private Stream<RouteGate> laterThan(RouteGate one) {
        return gates.stream().filter(gate -> gate.startupOrder() > one.startupOrder());
    }

    /** Whether that grant was told, to listeners as well: what happens to a route under it is told afterwards. */
    boolean isToldOf(Lease grant) {
        return toldToken == grant.token().value();
    }

    /** A route has changed: others may have waited for that. */
    void settleAll() {
        gates.forEach(RouteGate::settle);
    }

    @Override
    public void onEvent(LeaseEvent event) {
        // all consumers first: each is held back in well under a millisecond,
        // and none waits for the exchanges of another
        if (event instanceof LeaseEvent.Lost lost) {
            each(gate -> gate.bar(lost.lease()));
        } else if (event instanceof LeaseEvent.Draining draining) {
            each(gate -> gate.drain(draining.lease()));
        } else if (event instanceof LeaseEvent.Suspended) {
            each(RouteGate::hold);
        }
        if (event instanceof LeaseEvent.Granted granted) {
            toldToken = granted.lease().token().value();
            threads.later(STARTS_WITHIN_TTLS * settings.ttl().toMillis(), () -> lookForLate(granted.lease()));
        }
        if (event instanceof LeaseEvent.Lost || event instanceof LeaseEvent.Draining) {
            quiet.begin();
        }
        boolean isOver = event instanceof LeaseEvent.Lost || event instanceof LeaseEvent.Released;
        if (isOver && mayNotClaim()) {
            candidacy();
        }
        settleAll();
    }

    /** A start that hangs, or waits for one that does, tells nobody so. One that only now is to be is given some time. */
    private void lookForLate(Lease grant) {
        List<Route> late = late(grant);
        if (!late.isEmpty()) {
            threads.later(settings.claimInterval().multipliedBy(2).toMillis(), () -> giveAwayIfStillLate(grant, late));
        }
    }

    private List<Route> late(Lease grant) {
        boolean isHeld = elector.lease().filter(grant::equals).isPresent() && contextRuns() && !contextIsSuspended();
        return gates.stream()
                .filter(gate -> isHeld && gate.wish().isToRun() && !gate.runsUnder(grant))
                .map(RouteGate::route)
                .toList();
    }

    private void giveAwayIfStillLate(Lease grant, List<Route> before) {
        List<Route> late = late(grant).stream().filter(before::contains).toList();
        if (!late.isEmpty()) {
            Duration patience = settings.ttl().multipliedBy(STARTS_WITHIN_TTLS);
            LOG.error(
                    "Lease '{}' is given away, so that another node can try: {} after its grant, routes {} have not started",
                    elector.name(),
                    patience,
                    late.stream().map(Route::getRouteId).toList());
            troubles.giveAway(late.get(0), "has not started " + patience + " after the grant");
        }
    }

    /** One route that fails must not keep the others from being told. */
    private void each(Consumer<RouteGate> step) {
        List<RouteGate> lastFirst = gates.stream()
                .sorted(Comparator.comparingInt(RouteGate::startupOrder).reversed())
                .toList();
        for (RouteGate gate : lastFirst) {
            try {
                step.accept(gate);
            } catch (Throwable failed) {
                LOG.error(
                        "Route '{}' could not be held back",
                        gate.route().getRouteId(),
                        RouteSecrets.of(gate.route()).masked(failed));
            }
        }
    }

    // ---- waiting for the work in flight

    @Override
    public LeaseName name() {
        return elector.name();
    }

    @Override
    public void ended() {
        elector.drained();
        settleAll();
    }

    /** Whether nothing works under the last grant, and nothing can begin to. */
    @Override
    public boolean isQuietForGood() {
        if (!isQuiet()) {
            withdrawQueued.accept(elector.name());
            return false;
        }
        // a route that was to complete all its tasks is not barred yet: shut it, and see that nothing slipped in before
        elector.lease().ifPresent(lease -> gates.forEach(gate -> gate.shut(lease)));
        return isQuiet();
    }

    private boolean isQuiet() {
        leaving.removeIf(RouteGate::isQuiet);
        return leaving.isEmpty() && gates.stream().allMatch(RouteGate::isQuiet);
    }

    @Override
    public void timedOut() {
        LOG.warn(
                "Lease '{}': work is still in flight {} ms after it was to end. If this node still holds the lease, it is left"
                        + " to expire; this node is no candidate until the work has ended",
                elector.name(),
                settings.drainTimeout().toMillis());
        elector.drainAbandoned();
        gates.forEach(RouteGate::giveUpDraining);
    }

    /** The last chance to give the lease back, when the context is down: only if nothing runs under it any more. */
    void contextStopped() {
        if (elector.state() == LeaseState.DRAINING && isQuietForGood()) {
            elector.drained();
        } else if (elector.state().hasGrant()) {
            LOG.warn("Lease '{}': work is still in flight, so the lease is left to expire", elector.name());
        }
    }
}
