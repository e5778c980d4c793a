/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.Route;
import org.apache.camel.processor.aggregate.AggregateProcessor;
import org.apache.camel.processor.aggregate.MemoryAggregationRepository;
import org.apache.camel.spi.AggregationRepository;
import org.apache.camel.support.service.ServiceHelper;

/**
 * The aggregate() steps of one route, of which those with a repository that nodes share have it only while the route runs under
 * its lease. Else they would complete, by timers of their own, what another node has collected: Camel starts them on every
 * node, whether the route is to start or not. Thread-safe; what changes them may block as the producers behind them please.
 */
final class Aggregations {

    private final List<AggregateProcessor> steps;
    private final NoGroups none;

    /** What the steps are to have that do not have it now. */
    private final IdentityHashMap<AggregateProcessor, AggregationRepository> withheld = new IdentityHashMap<>();

    private Aggregations(Route route) {
        this.steps = RouteSteps.of(route, AggregateProcessor.class);
        this.none = new NoGroups(route.getRouteId());
    }

    /** Those of a route that has been set up. */
    static Aggregations of(Route route) {
        return new Aggregations(route);
    }

    /** Whether any collects what another node will not see. */
    boolean forget() {
        return steps.stream().anyMatch(step -> !isShared(step));
    }

    /** How many exchanges they have completed that have not gone through the rest of the route yet. */
    int inWork() {
        return steps.stream()
                .mapToInt(AggregateProcessor::getInProgressCompleteExchanges)
                .sum();
    }

    /** Camel starts the route's services: those steps that do not run yet are to start with nothing. */
    synchronized void withholdAtStart() {
        shared().filter(step -> !step.isStarted()).forEach(this::withhold);
    }

    /** The route is not to run: the steps complete nothing more, not even when it is stopped, and take nothing more. */
    synchronized void withhold() {
        shared().forEach(step -> {
            ServiceHelper.stopService(step);
            withhold(step);
        });
    }

    private void withhold(AggregateProcessor step) {
        AggregationRepository own = step.getAggregationRepository();
        if (own != none) {
            withheld.put(step, own);
            step.setAggregationRepository(none);
        }
    }

    /** The consumer is about to start: the steps go on with what has been collected by now. */
    synchronized void giveBack() {
        withheld.forEach((step, own) -> {
            ServiceHelper.stopService(step);
            step.setAggregationRepository(own);
            ServiceHelper.startService(step);
        });
        withheld.clear();
    }

    /** Whether none of them can complete what nodes share. */
    synchronized boolean haveLetGo() {
        return shared().noneMatch(step -> step.isStarted() && step.getAggregationRepository() != none);
    }

    /** The route has ended for good: its steps, which are to end their repositories then, did not have them. */
    synchronized void close() {
        withheld.values().forEach(ServiceHelper::stopAndShutdownService);
    }

    private Stream<AggregateProcessor> shared() {
        return steps.stream().filter(Aggregations::isShared);
    }

    private static boolean isShared(AggregateProcessor step) {
        AggregationRepository repository = step.getAggregationRepository();
        // none before its first start, at which it gets one in memory
        return repository != null && !(repository instanceof MemoryAggregationRepository);
    }
}
