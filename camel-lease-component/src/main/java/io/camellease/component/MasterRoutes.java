/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseTimer;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.InflightRepository;

/**
 * What the {@code master:} routes of a context still work on: Camel stops their consumers without waiting for that.
 * Thread-safe.
 */
final class MasterRoutes {

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CamelContext context;
    private final LeaseTimer timer;

    MasterRoutes(CamelContext context, LeaseTimer timer) {
        this.context = context;
        this.timer = timer;
    }

    /**
     * Runs the first step once nothing is in flight in the routes that are led by this namespace. If that takes longer than the
     * given time, runs the second one before. Does not wait itself.
     */
    void whenQuiet(String namespace, long patienceNanos, Runnable quiet, Runnable takesTooLong) {
        look(namespace, patienceNanos / LOOK_AGAIN_NANOS, quiet, takesTooLong);
    }

    private void look(String namespace, long looksLeft, Runnable quiet, Runnable takesTooLong) {
        if (isQuiet(namespace)) {
            quiet.run();
            return;
        }
        if (looksLeft == 0) {
            takesTooLong.run();
        }
        timer.schedule(() -> look(namespace, looksLeft - 1, quiet, takesTooLong), LOOK_AGAIN_NANOS);
    }

    private boolean isQuiet(String namespace) {
        InflightRepository inflight = context.getInflightRepository();
        return context.getRoutes().stream()
                .filter(route -> isMasterOf(namespace, route.getEndpoint().getEndpointUri()))
                .allMatch(route -> inflight.size(route.getRouteId()) <= 0);
    }

    private static boolean isMasterOf(String namespace, String uri) {
        return uri.startsWith("master:" + namespace + ":") || uri.startsWith("master://" + namespace + ":");
    }
}
