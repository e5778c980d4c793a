/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.support.LifecycleStrategySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps listeners from being told anything while Camel stops the routes of a context. Camel's clustered policy holds its own
 * lock and wants that of the route when it is told, and the other way round when its route is removed: both at once would block
 * for ever. Thread-safe.
 */
final class ClusterHush extends LifecycleStrategySupport {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClusterService.class);

    private final ClusterViews views;
    private final LongSupplier patienceNanos;
    private volatile boolean on;

    /**
     * Off at first.
     *
     * @param patienceNanos for how long the stop of a context waits for listeners that are being told; 0 if there
     *     are no leases to lose
     */
    ClusterHush(ClusterViews views, LongSupplier patienceNanos) {
        this.views = views;
        this.patienceNanos = patienceNanos;
    }

    boolean isOn() {
        return on;
    }

    /** The routes are down: listeners may be told again. */
    void end() {
        on = false;
        views.all().forEach(LeaseClusterView::makeUp);
    }

    @Override
    public void onContextStarting(CamelContext context) {
        on = false;
    }

    @Override
    public void onContextStopping(CamelContext context) {
        long patience = patienceNanos.getAsLong();
        if (patience > 0) {
            on = true;
            views.all().forEach(LeaseClusterView::standDown);
            CompletableFuture<?>[] told = views.all().stream()
                    .filter(view -> !view.isTellingCaller())
                    .map(LeaseClusterView::contextStopping)
                    .toArray(CompletableFuture[]::new);
            awaitTold(CompletableFuture.allOf(told), patience);
        }
    }

    private void awaitTold(Future<?> told, long patience) {
        try {
            told.get(patience, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn(
                    "A listener of cluster namespaces {} takes too long; the context stops all the same",
                    views.all().stream()
                            .filter(LeaseClusterView::isStuck)
                            .map(LeaseClusterView::getNamespace)
                            .toList(),
                    late);
        }
    }
}
