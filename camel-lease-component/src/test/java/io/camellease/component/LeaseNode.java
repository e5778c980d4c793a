/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.policy.LeaseService;
import io.camellease.testkit.FaultyLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** One CamelContext of application {@code shop} with its own link to the store that it shares with others. */
final class LeaseNode implements AutoCloseable {

    private static final int SHUTDOWN_SECONDS = 20;

    final DefaultCamelContext context = new DefaultCamelContext();
    final FaultyLeaseStore store;
    final LeaseService leases = new LeaseService();

    LeaseNode(String label, LeaseStore shared, Duration ttl) {
        store = new FaultyLeaseStore(shared);
        context.getCamelContextExtension().setName(label);
        context.disableJMX();
        context.getShutdownStrategy().setTimeout(SHUTDOWN_SECONDS);
        leases.setNode(label);
        leases.setApplication("shop");
        leases.setClient(store);
        leases.setTtl(ttl);
        context.getRegistry().bind("leases", leases);
    }

    LeaseNode start() {
        context.start();
        return this;
    }

    /** Adds a route before the start or after it. */
    LeaseNode route(String id, String from, Processor processor) throws Exception {
        RouteBuilder.addRoutes(context, routes -> routes.from(from).routeId(id).process(processor));
        return this;
    }

    /** One exchange through a {@code lease:} endpoint. */
    Exchange call(String uri) {
        return call(uri, exchange -> {});
    }

    Exchange call(String uri, Processor before) {
        return context.createProducerTemplate().request(uri, before);
    }

    /** The same exchange through one more endpoint. */
    Exchange call(String uri, Exchange exchange) {
        return context.createProducerTemplate().send(uri, exchange);
    }

    LeaseRecord record(String localName) {
        LeaseName name = leases.leaseName(localName);
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    @Override
    public void close() {
        store.heal();
        store.releaseHanging();
        context.stop();
    }
}
