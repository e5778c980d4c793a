/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.camel.Consumer;
import org.apache.camel.Route;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.ScheduledPollConsumer;
import org.jspecify.annotations.Nullable;

/** Tells whether anything of one route is still at work. Thread-safe. */
final class WorkInFlight {

    private final Route route;
    private final ExchangeGate exchanges;
    private final Extensions extensions;
    private final BooleanSupplier contextRuns;
    private final IntSupplier aggregated;

    /**
     * The work of one route.
     *
     * @param aggregated how many exchanges its aggregations have completed that are not done
     */
    WorkInFlight(
            Route route,
            ExchangeGate exchanges,
            Extensions extensions,
            BooleanSupplier contextRuns,
            IntSupplier aggregated) {
        this.route = route;
        this.exchanges = exchanges;
        this.extensions = extensions;
        this.contextRuns = contextRuns;
        this.aggregated = aggregated;
    }

    /** Whether nothing works in this route, and nothing is about to. */
    boolean isDone() {
        // Camel's count is below zero once an exchange has ended of a route of that id that was removed before
        return exchanges.active() == 0
                && route.getCamelContext().getInflightRepository().size(route.getRouteId()) <= 0
                && aggregated.getAsInt() == 0
                && extensions.areQuiet()
                && pendingInConsumer() == 0
                && pendingInProcessors() == 0;
    }

    /**
     * Whether the context stops and this route is to finish all that its consumer has in hand: because its author says so, or
     * because that may be in memory only.
     */
    boolean completesAll() {
        Consumer consumer = route.getConsumer();
        // a route that is being removed has none any more
        boolean inMemory = consumer != null && !ConsumerKind.leavesWorkAtSource(consumer);
        boolean wanted = route.getShutdownRunningTask() == ShutdownRunningTask.CompleteAllTasks;
        return !contextRuns.getAsBoolean() && (inMemory || wanted);
    }

    /** A poll may be about to begin an exchange; what waits in the queue of another consumer is not begun any more. */
    private int pendingInConsumer() {
        Consumer consumer = route.getConsumer();
        if (consumer instanceof ScheduledPollConsumer poll) {
            // one that takes no batches says nothing of itself, and may still have to delete at the source what is done
            return Math.max(pending(poll), poll.isPolling() ? 1 : 0);
        }
        return completesAll() ? pending(consumer) : 0;
    }

    private int pendingInProcessors() {
        // a copy in one step: Camel changes this list while a route is started or stopped
        return Arrays.stream(route.getServices().toArray())
                .filter(service -> service != route.getConsumer() && !isAggregation(service))
                .mapToInt(WorkInFlight::pending)
                .sum();
    }

    /** What is aggregated has left its exchanges, which have ended: it waits for others that may never come. */
    private static boolean isAggregation(Object service) {
        return service.getClass().getName().startsWith("org.apache.camel.processor.aggregate.");
    }

    private static int pending(@Nullable Object service) {
        return service instanceof ShutdownAware aware ? aware.getPendingExchangesSize() : 0;
    }
}
