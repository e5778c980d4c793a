/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.policy.LeaseService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.apache.camel.main.Main;

/** A node in a process of its own: a {@code master:} route, a route with a clustered policy, and one that works under a lock. */
final class ClusterChild extends RouteBuilder {

    static final String LABEL = "lease.child.label";
    static final String STORE = "lease.child.store";
    static final String JOURNAL = "lease.child.journal";
    static final String TTL = "lease.child.ttl";

    private final String label = System.getProperty(LABEL);
    private final Path journal = Path.of(System.getProperty(JOURNAL));

    private ClusterChild() {}

    /** Runs until it is asked to end, or until whoever started it is gone. */
    public static void main(String[] arguments) throws Exception {
        Thread watch = new Thread(
                () -> {
                    try {
                        Runtime.getRuntime().halt(System.in.read());
                    } catch (IOException gone) {
                        Runtime.getRuntime().halt(1);
                    }
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
        LeaseService leases = new LeaseService();
        leases.setStore(System.getProperty(STORE));
        leases.setNode(System.getProperty(LABEL));
        leases.setApplication("children");
        leases.setTtl(System.getProperty(TTL));
        Main main = new Main();
        main.bind("leases", leases);
        main.bind("cluster", new LeaseClusterService());
        main.configure().setJmxEnabled(false);
        main.configure().addRoutesBuilder(new ClusterChild());
        System.exit(main.run(arguments));
    }

    @Override
    public void configure() throws Exception {
        getContext().addService(getContext().getRegistry().lookupByName("cluster"));
        from("master:m:timer:m?period=50&delay=0").routeId("master").process(exchange -> note("master"));
        from("timer:p?period=50&delay=0")
                .routeId("policy")
                .routePolicy(ClusteredRoutePolicy.forNamespace(getContext(), "p"))
                .process(exchange -> note("policy"));
        from("timer:l?repeatCount=1&delay=0")
                .routeId("lock")
                .process(exchange -> note("up"))
                .to("lease:step?operation=acquire&ttl=" + System.getProperty(TTL) + "&timeout=-1")
                .process(this::workUnderTheLock);
    }

    private void workUnderTheLock(Exchange exchange) throws IOException {
        while (exchange.getException() == null) {
            note("lock");
            LockSupport.parkNanos(100_000_000);
            getContext().createProducerTemplate().send("lease:step?operation=renew", exchange);
        }
    }

    private void note(String what) throws IOException {
        byte[] line = (label + " " + what + " " + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        Files.write(journal, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
