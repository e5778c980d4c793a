/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.policy.LeaseCheck;
import io.camellease.policy.LeaseService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two contexts that contend in a MongoDB database: the one of {@code lease.test.mongodb.uri}, else one in this process. */
class SharedDatabaseTest {

    private static final Duration TTL = Duration.ofSeconds(5);

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final String application = "shop-" + UUID.randomUUID();
    private final String store =
            System.getProperty("lease.test.mongodb.uri", server.bindAndGetConnectionString() + "/leases");
    private final List<DefaultCamelContext> contexts = new ArrayList<>();

    @AfterEach
    void stopAll() {
        contexts.forEach(DefaultCamelContext::stop);
        server.shutdownNow();
    }

    private DefaultCamelContext context(String label) {
        LeaseService leases = new LeaseService();
        leases.setStore(store);
        leases.setNode(label);
        leases.setApplication(application);
        leases.setTtl(TTL);
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        context.getRegistry().bind("leases", leases);
        contexts.add(context);
        return context;
    }

    @Test
    void twoContextsAreNeverInTheSameStep() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        for (String label : List.of("a", "b")) {
            DefaultCamelContext context = context(label);
            RouteBuilder.addRoutes(context, routes -> routes.from("timer:" + label + "?delay=0&period=20")
                    .to("lease:step?operation=acquire&ttl=20s&timeout=60s")
                    .process(exchange -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        tokens.add(exchange.getProperty(LeaseHeaders.TOKEN, Long.class));
                        inside.decrementAndGet();
                    })
                    .to("lease:step?operation=release"));
            context.start();
        }

        soon().until(() -> tokens.size() >= 6);

        assertThat(most).hasValue(1);
        assertThat(List.copyOf(tokens)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aTermGoesFromOneContextToTheOther() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        for (String label : List.of("a", "b")) {
            DefaultCamelContext context = context(label);
            RouteBuilder.addRoutes(context, routes -> routes.from("lease:leader?events=acquired,released")
                    .routeId("leader")
                    .process(exchange ->
                            told.add(label + " " + exchange.getMessage().getHeader(LeaseHeaders.EVENT))));
            context.start();
            soon().until(() -> told.contains("a acquired"));
        }

        contexts.get(0).stop();

        soon().until(() -> told.size() == 3);
        assertThat(told).containsExactly("a acquired", "a released", "b acquired");
    }

    @Test
    void aLockInsideALeasedRouteHidesItsLeaseUntilItIsReleased() throws Exception {
        DefaultCamelContext context = context("a");
        List<Exchange> done = new CopyOnWriteArrayList<>();
        LeaseCheck check = new LeaseCheck();
        List<Boolean> checks = new CopyOnWriteArrayList<>();
        RouteBuilder.addRoutes(context, routes -> routes.from("timer:once?delay=0&repeatCount=1")
                .routeId("orders")
                .routePolicyRef("lease")
                .to("lease:step?operation=acquire&ttl=20s")
                .process(exchange -> {
                    assertThat(exchange.getProperty(LeaseHeaders.NAME)).isEqualTo(application + "/step");
                    checks.add(check.matches(exchange));
                })
                .to("lease:orders?operation=check")
                .to("lease:step?operation=check")
                .to("lease:step?operation=release")
                .process(exchange -> {
                    checks.add(check.matches(exchange));
                    done.add(exchange);
                }));
        context.start();

        soon().until(() -> done.size() == 1);

        assertThat(checks).containsExactly(true, true);
        assertThat(done.get(0).getProperty(LeaseHeaders.NAME)).isEqualTo(application + "/orders");
        assertThat(done.get(0).getMessage().getHeader(LeaseHeaders.NAME)).isEqualTo(application + "/orders");
        Exchange refused =
                context.createProducerTemplate().request("lease:orders?operation=acquire&ttl=20s", exchange -> {});
        assertThat(refused.getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs a name of its own");
    }
}
