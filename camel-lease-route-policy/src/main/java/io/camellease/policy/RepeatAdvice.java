/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.camel.Navigate;
import org.apache.camel.Route;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of a step that is to keep work from being repeated, and remembers it on one node only. Stateless. */
final class RepeatAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(SourceAdvice.class);
    private static final Object NONE = new Object();
    private static final String STEP = "IdempotentConsumer";

    private RepeatAdvice() {}

    /** Looks at a route that is about to start. */
    static void give(Route route) {
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(route.getCamelContext());
        boolean forgets = steps(route).stream()
                .filter(step -> step.getClass().getSimpleName().equals(STEP))
                .map(step -> beans.getOrElseProperty(step, "idempotentRepository", NONE, false))
                .anyMatch(MemoryIdempotentRepository.class::isInstance);
        if (forgets) {
            LOG.warn(
                    "Route '{}': its idempotentConsumer remembers in the memory of this node what has been done, so that the next"
                            + " holder of the lease does it again. Give it an idempotentRepository that all nodes share",
                    route.getRouteId());
        }
    }

    private static Set<Object> steps(Route route) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Navigate<?>> ahead = new ArrayDeque<>();
        addTo(ahead, route.navigate());
        while (!ahead.isEmpty()) {
            Navigate<?> next = ahead.remove();
            List<?> steps = next.hasNext() ? next.next() : null;
            for (Object step : steps == null ? List.of() : steps) {
                if (step != null && seen.add(step)) {
                    addTo(ahead, step);
                }
            }
        }
        return seen;
    }

    private static void addTo(Deque<Navigate<?>> ahead, @Nullable Object step) {
        if (step instanceof Navigate<?> further) {
            ahead.add(further);
        }
    }
}
