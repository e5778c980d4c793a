/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Route;
import org.apache.camel.support.RoutePolicySupport;

/** Another policy on a leased route, which counts what it is told. Thread-safe. */
final class CountingPolicy extends RoutePolicySupport {

    /** What to do while the consumer is up and nobody has been told yet. */
    volatile Runnable onStart = () -> {};

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();
    private final AtomicInteger startedTooSoon = new AtomicInteger();

    @Override
    public void onStart(Route route) {
        onStart.run();
        started.incrementAndGet();
        if (!route.getCamelContext().isStarted()) {
            startedTooSoon.incrementAndGet();
        }
    }

    @Override
    public void onStop(Route route) {
        stopped.incrementAndGet();
    }

    int started() {
        return started.get();
    }

    int stopped() {
        return stopped.get();
    }

    /** How often it was told of a start before the context was started. */
    int startedTooSoon() {
        return startedTooSoon.get();
    }
}
