/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.Route;
import org.apache.camel.processor.Resequencer;
import org.apache.camel.processor.StreamResequencer;
import org.apache.camel.processor.idempotent.IdempotentConsumer;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of steps that work otherwise when the lease goes to another node, as they remember on one node only. Stateless. */
final class RepeatAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(SourceAdvice.class);

    private RepeatAdvice() {}

    /** Looks at a route that is about to start. */
    static void give(Route route) {
        boolean forgets = RouteSteps.of(route, IdempotentConsumer.class).stream()
                .map(IdempotentConsumer::getIdempotentRepository)
                .anyMatch(MemoryIdempotentRepository.class::isInstance);
        if (forgets) {
            LOG.warn(
                    "Route '{}': its idempotentConsumer remembers in the memory of this node what has been done, so that the next"
                            + " holder of the lease does it again. Give it an idempotentRepository that all nodes share",
                    route.getRouteId());
        }
        if (!RouteSteps.of(route, Resequencer.class).isEmpty()
                || !RouteSteps.of(route, StreamResequencer.class).isEmpty()) {
            LOG.warn(
                    "Route '{}': its resequence() collects in the memory of this node what its source takes for done, so that it is"
                            + " lost with this process, and may go on after the lease is lost. Resequence where the messages are"
                            + " consumed in the end, or before they come here",
                    route.getRouteId());
        }
        if (Aggregations.of(route).forget()) {
            LOG.warn(
                    "Route '{}': its aggregate() collects in the memory of this node, so that the next holder of the lease begins"
                            + " with empty groups, and what was collected is lost with this process. Give it an"
                            + " aggregationRepository that all nodes share",
                    route.getRouteId());
        }
    }
}
