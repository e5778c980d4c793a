/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.core.LockResult;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.NonManagedService;
import org.apache.camel.spi.ShutdownPrepared;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;

/**
 * A part of a route, so that Camel says when it begins to stop it: from then on no exchange in it waits for a lock. Thread-safe.
 */
final class RouteStop extends ServiceSupport implements ShutdownPrepared, NonManagedService {

    private final String routeId;
    private final long patienceNanos;
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Moment stoppingUntil;

    /** An exchange that waits for a lock. */
    private record Wait(LeaseName name, CompletableFuture<LockResult> answer) {}

    /**
     * A route that runs.
     *
     * @param patienceNanos for how long a stop is taken to be under way: Camel does not say when it is called off
     */
    RouteStop(String routeId, long patienceNanos) {
        this.routeId = routeId;
        this.patienceNanos = patienceNanos;
    }

    /** Ends the wait when the route is stopped. */
    void watch(LeaseName name, CompletableFuture<LockResult> answer) {
        Wait wait = new Wait(name, answer);
        waits.add(wait);
        var unused = answer.whenComplete((result, failure) -> waits.remove(wait));
        if (isRefusing()) {
            end(wait);
        }
    }

    /** Whether exchanges of the route may not wait. */
    boolean isRefusing() {
        Moment until = stoppingUntil;
        return until != null && until.nanosSince(Ticker.system().now()) > 0;
    }

    /** The route runs, or is about to. */
    void admit() {
        stoppingUntil = null;
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        if (!suspendOnly) {
            refuse();
        }
    }

    @Override
    protected void doStop() {
        refuse();
    }

    private void refuse() {
        stoppingUntil = Ticker.system().now().plusNanos(patienceNanos);
        waits.forEach(this::end);
    }

    private void end(Wait wait) {
        wait.answer()
                .completeExceptionally(new LeaseNotAcquiredException(
                        wait.name().value(),
                        "lock '" + wait.name() + "' was not acquired: route '" + routeId + "' is about to stop",
                        null));
    }
}
