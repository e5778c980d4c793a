/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.policy.LeaseLostException;
import io.camellease.testkit.InMemoryLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lock that a step of a leased route asks for. */
class LockInLeasedRouteTest {

    private static final int FILES = 20;

    @TempDir
    Path directory;

    /** Else all of them had begun, and would go on after the lease of the route has ended. */
    @Test
    void whileAFileWaitsForALockNoOtherOneBegins() throws Exception {
        for (int i = 0; i < FILES; i++) {
            Files.writeString(directory.resolve("f" + i), "order");
        }
        Queue<Exchange> begun = new ConcurrentLinkedQueue<>();
        Queue<Exchange> done = new ConcurrentLinkedQueue<>();
        try (LeaseNode node = new LeaseNode("A", new InMemoryLeaseStore(), Duration.ofSeconds(3))) {
            RouteBuilder.addRoutes(
                    node.context, routes -> routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                            .routeId("orders")
                            .routePolicyRef("lease")
                            .process(begun::add)
                            .to("lease:stock?operation=acquire&ttl=30s&timeout=60s")
                            .process(done::add)
                            .to("lease:stock?operation=release"));
            Exchange other = node.start().call("lease:stock?operation=acquire&ttl=60s");

            soon().until(() -> !begun.isEmpty());
            soon().during(Duration.ofMillis(500)).until(() -> begun.size() == 1);
            node.call("lease:stock?operation=release", other);
            soon().until(() -> done.size() == FILES);

            assertThat(begun).hasSize(FILES);
        }
    }

    /** Nor does it make the exchange one that has begun there. */
    @Test
    void aLockIsNotTheLeaseOfALeasedRoute() throws Exception {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        try (LeaseNode holder = new LeaseNode("A", store, Duration.ofSeconds(3));
                LeaseNode standby = new LeaseNode("B", store, Duration.ofSeconds(3))) {
            List<Exchange> begun = new CopyOnWriteArrayList<>();
            for (LeaseNode node : List.of(holder, standby)) {
                RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(begun::add));
                node.start();
                soon().until(() -> node.record("orders").isHeld());
            }
            Exchange exchange = standby.call("lease:stock?operation=acquire&ttl=60s");
            assertThat(exchange.getMessage().getHeader(LeaseHeaders.ACQUIRED)).isEqualTo(true);

            standby.call("direct:in", exchange);

            assertThat(exchange.getException()).isInstanceOf(LeaseLostException.class);
            assertThat(begun).isEmpty();
        }
    }
}
