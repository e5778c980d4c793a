/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All routes of one lease: passes on what happens to the lease, and gives it back when all of them are quiet. Thread-safe. */
final class LeasedRoutes implements LeaseListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedRoutes.class);
    private static final long QUIET_CHECK_MILLIS = 20;

    private final LeaseElector elector;
    private final LeaseClient client;
    private final RouteThreads threads;
    private final LeaseListener observers;
    private final Supplier<Boolean> contextRuns;
    private final LeaseOptions options;
    private final List<RouteGate> gates = new CopyOnWriteArrayList<>();

    /** Gates of routes that were removed while work of theirs was still in flight. */
    private final List<RouteGate> leaving = new CopyOnWriteArrayList<>();

    private final AtomicBoolean watching = new AtomicBoolean();
    private final AtomicLong noisyMillis = new AtomicLong();

    LeasedRoutes(
            LeaseName name,
            LeaseClient client,
            RouteThreads threads,
            Supplier<String> value,
            LeaseListener observers,
            Supplier<Boolean> contextRuns,
            LeaseOptions options) {
        this.client = client;
        this.threads = threads;
        this.observers = observers;
        this.contextRuns = contextRuns;
        this.options = options;
        this.elector = client.elector(name, this, value);
    }

    LeaseElector elector() {
        return elector;
    }

    LeaseSettings settings() {
        return client.settings();
    }

    Ticker ticker() {
        return client.ticker();
    }

    /** What the context sets. */
    Optional<String> option(LeaseOption option) {
        return options.get(option);
    }

    List<RouteGate> gates() {
        return List.copyOf(gates);
    }

    void add(RouteGate gate) {
        gates.add(gate);
    }

    void remove(RouteGate gate) {
        elector.lease().ifPresent(gate::shut);
        leaving.add(gate);
        gates.remove(gate);
        candidacy();
        leaving.removeIf(RouteGate::isQuiet);
    }

    /** Whether the context is up and its routes may be started and stopped. */
    boolean contextRuns() {
        return contextRuns.get();
    }

    /** A route of this lease is wanted, or not wanted any more: be a candidate exactly while one is. */
    void candidacy() {
        if (contextRuns() && gates.stream().anyMatch(RouteGate::isWanted)) {
            elector.start();
        } else {
            elector.stop();
        }
    }

    @Override
    public void onEvent(LeaseEvent event) {
        // all consumers first: each is held back in well under a millisecond, and none waits for the exchanges of
        // another
        if (event instanceof LeaseEvent.Lost lost) {
            each(gate -> gate.bar(lost.lease()));
        } else if (event instanceof LeaseEvent.Draining draining) {
            each(gate -> gate.drain(draining.lease()));
        } else if (event instanceof LeaseEvent.Suspended) {
            each(RouteGate::hold);
        }
        if (event instanceof LeaseEvent.Lost || event instanceof LeaseEvent.Draining) {
            watchQuiet();
        }
        gates.forEach(RouteGate::settle);
        observers.onEvent(event);
    }

    /** One route that fails must not keep the others from being told. */
    private void each(Consumer<RouteGate> step) {
        for (RouteGate gate : gates) {
            try {
                step.accept(gate);
            } catch (RuntimeException failed) {
                LOG.error("Route '{}' could not be held back", gate.route().getRouteId(), failed);
            }
        }
    }

    // ---- waiting for the work in flight

    private void watchQuiet() {
        noisyMillis.set(0);
        if (watching.compareAndSet(false, true)) {
            checkQuiet();
        }
    }

    private void checkQuiet() {
        if (isQuietForGoodOrLog()) {
            watching.set(false);
            elector.drained();
            gates.forEach(RouteGate::settle);
            return;
        }
        if (noisyMillis.addAndGet(QUIET_CHECK_MILLIS) / QUIET_CHECK_MILLIS == drainMillis() / QUIET_CHECK_MILLIS) {
            drainTimedOut();
        }
        threads.later(QUIET_CHECK_MILLIS, this::checkQuiet);
    }

    /** What cannot be told now is told at the next look: a look that fails must not be the last one. */
    private boolean isQuietForGoodOrLog() {
        try {
            return isQuietForGood();
        } catch (RuntimeException failed) {
            LOG.warn("Lease '{}': could not see whether work is in flight; looking again", elector.name(), failed);
            return false;
        }
    }

    /** Whether nothing works under the last grant, and nothing can begin to. */
    private boolean isQuietForGood() {
        if (!isQuiet()) {
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

    private long drainMillis() {
        return client.settings().drainTimeout().toMillis();
    }

    private void drainTimedOut() {
        LOG.warn(
                "Lease '{}': work is still in flight {} ms after it was to end. If this node still holds the lease, it is left"
                        + " to expire; this node is no candidate until the work has ended",
                elector.name(),
                drainMillis());
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
