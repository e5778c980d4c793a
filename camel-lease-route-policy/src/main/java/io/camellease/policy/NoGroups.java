/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.OptimisticLockingAggregationRepository;
import org.jspecify.annotations.Nullable;

/** What an aggregation sees as long as it must not complete what nodes share: nothing, and nothing can be added. Stateless. */
final class NoGroups implements OptimisticLockingAggregationRepository {

    private final String routeId;

    NoGroups(String routeId) {
        this.routeId = routeId;
    }

    @Override
    public Exchange add(CamelContext context, String key, Exchange exchange) {
        throw new IllegalStateException(
                "route '" + routeId + "' may not add to what it collects: its lease is not here any more");
    }

    @Override
    public Exchange add(CamelContext context, String key, @Nullable Exchange before, Exchange exchange) {
        return add(context, key, exchange);
    }

    @Override
    public @Nullable Exchange get(CamelContext context, String key) {
        return null;
    }

    @Override
    public void remove(CamelContext context, String key, Exchange exchange) {
        // there is nothing
    }

    @Override
    public void confirm(CamelContext context, String exchangeId) {
        throw new IllegalStateException(
                "route '" + routeId + "' may not end what it has completed: another node does it");
    }

    @Override
    public Set<String> getKeys() {
        return Set.of();
    }
}
