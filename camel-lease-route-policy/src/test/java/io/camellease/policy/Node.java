/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** One node: a CamelContext with its own lease service over a store that it shares with the other nodes. */
final class Node implements AutoCloseable {

    final String label;
    final DefaultCamelContext context;
    final LeaseService leases = new LeaseService();
    final List<LeaseEvent> events = new CopyOnWriteArrayList<>();

    Node(String label, LeaseStore store, String ttl) {
        this.label = label;
        context = new DefaultCamelContext();
        context.getCamelContextExtension().setName(label);
        leases.setNode(label);
        leases.setApplication("test");
        leases.setClient(store);
        leases.setTtl(ttl);
        leases.addListener(events::add);
        context.getRegistry().bind("leases", leases);
    }

    Node with(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
        return this;
    }

    Node start() {
        context.start();
        return this;
    }

    LeaseElector elector() {
        return leases.electors().get(0);
    }

    boolean holds() {
        LeaseState state = elector().state();
        return state == LeaseState.HELD || state == LeaseState.AT_RISK;
    }

    <E extends LeaseEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public void close() {
        context.stop();
    }
}
