/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.CamelContext;
import org.apache.camel.spi.ContextServicePlugin;

/**
 * Hooks leases into every CamelContext that finds this module on its class path. What a plugin throws is swallowed by Camel,
 * and then every node would run every route; so it only adds a {@link LeaseLifecycle}, which can refuse the start.
 */
public final class LeaseContextPlugin implements ContextServicePlugin {

    @Override
    public void load(CamelContext camelContext) {
        LeaseLifecycle.addTo(camelContext);
    }
}
