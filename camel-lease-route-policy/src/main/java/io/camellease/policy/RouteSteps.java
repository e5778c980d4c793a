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
import org.jspecify.annotations.Nullable;

/** Finds the steps of a route. Stateless. */
final class RouteSteps {

    private RouteSteps() {}

    /** All steps of that kind, inside other steps as well. */
    static <S> List<S> of(Route route, Class<S> kind) {
        return all(route).stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static Set<Object> all(Route route) {
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
