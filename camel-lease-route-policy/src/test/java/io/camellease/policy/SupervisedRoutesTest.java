/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.spi.SupervisingRouteController;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Under Camel's supervising route controller a leased route is started by its lease alone. */
@CaseTest
class SupervisedRoutesTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    /**
     * A node whose controller retries soon and gives up soon.
     *
     * @param byPattern whether the route is leased by a pattern, and not by a policy of its own
     */
    private Node supervised(String label, boolean byPattern) throws Exception {
        Node node = cluster.node(label).ttl(TTL);
        SupervisingRouteController controller =
                node.context.getRouteController().supervising();
        controller.setInitialDelay(100);
        controller.setBackOffDelay(100);
        controller.setBackOffMaxAttempts(3);
        if (byPattern) {
            node.context.addRoutePolicyFactory(new LeaseRoutePolicyFactory(List.of("orders")));
        }
        return node.routes(routes -> {
            routes.from("timer:plain?delay=0&period=20").routeId("plain").process(journal.note(label));
            var orders = routes.from("probe:in").routeId("orders");
            if (!byPattern) {
                orders.routePolicyRef("lease");
            }
            orders.process(journal.note(label));
        });
    }

    private static void feed(Probe probe, int messages) {
        for (int i = 0; i < messages; i++) {
            probe.messages.add("m" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void c53_aStandbyIsNeitherStartedNorGivenUpAndTakesOverOnceWithOneFailedStart(boolean byPattern) throws Exception {
        Node a = supervised("A", byPattern);
        feed(Probe.in(a), 3);
        a.start();
        soon().until(() -> journal.ended("A", "orders").size() == 3);
        Node b = supervised("B", byPattern);
        Probe probe = Probe.in(b);
        AtomicInteger failures = new AtomicInteger();
        probe.onStart = () -> {
            if (failures.getAndIncrement() == 0) {
                throw new IllegalStateException("fails once");
            }
        };
        feed(probe, 3);
        b.start();
        b.assertFlows("plain");

        // many times longer than the controller tries
        stays(Duration.ofSeconds(3), () -> probe.starts.get() == 0);
        SupervisingRouteController controller = b.context.getRouteController().adapt(SupervisingRouteController.class);
        assertThat(controller.getExhaustedRoutes()).isEmpty();
        assertThat(controller.getRestartingRoutes()).isEmpty();
        a.close();
        soon().until(() -> journal.ended("B", "orders").size() == 3);
        stays(Duration.ofSeconds(1), () -> probe.starts.get() == 2);

        assertThat(b.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(controller.getExhaustedRoutes()).isEmpty();
        assertThat(Journal.tokens(journal.begun("B", "orders"))).hasSize(1).doesNotContain(0L);
    }

    @Test
    void c53_aContextWithoutUnleasedRoutesStartsItsLeasedRoute() throws Exception {
        Node a = cluster.node("A").ttl(TTL);
        a.context.getRouteController().supervising().setInitialDelay(100);
        a.routes(routes -> routes.from("timer:only?delay=0&period=20")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(journal.note("A")));
        a.start();

        a.assertFlows("orders");
    }

    private static void called(RouteBuilder routes, String uri) {
        routes.routeTemplate("ticks").from("timer:ticks?period=1000").to("kamelet:sink");
        routes.from(uri).routeId("orders").routePolicyRef("lease").to("mock:orders");
    }

    /** Such a route runs everywhere, so Camel starts it also where the lease is not. */
    @ParameterizedTest
    @CsvSource({"direct:called, true", "direct:called, false", "kamelet:ticks, true", "kamelet:ticks, false"})
    void aRouteThatCamelStartsByItselfOnAStandbyIsNotSaidToBeStartedByHand(String uri, boolean supervised)
            throws Exception {
        LeaseName lease = cluster.lease("orders");
        cluster.steal(lease, Duration.ofMinutes(1));
        Node b = cluster.node("B").ttl(TTL);
        try (LogLines log = LogLines.open()) {
            if (supervised) {
                b.context.getRouteController().supervising().setInitialDelay(50);
                b.routes(routes -> called(routes, uri)).start();
            } else {
                b.start().routes(routes -> called(routes, uri));
            }
            soon().until(() -> b.status("orders").isStarted());

            assertThat(log.of(Level.WARN, "by hand", lease)).isEmpty();
        }
    }
}
