/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.InMemoryLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leased routes that are called by other leased routes of the same process, and parts that two contexts must not share. */
class InProcessRouteTest {

    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @TempDir
    Path directory;

    private Node node(String label) {
        return new Node(label, "test", store, new Journal());
    }

    private static Node with(Node node, RouteBuilder routes) throws Exception {
        node.context.addRoutes(routes);
        return node;
    }

    private Node parentAndChild(String childLease) throws Exception {
        return with(node("A"), new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(deadLetterChannel("mock:dead"));
                from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                        .routeId("parent")
                        .routePolicy(new LeaseRoutePolicy("parent"))
                        .process(exchange -> {
                            atWork.countDown();
                            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
                        })
                        .to("direct:child");
                from("direct:child")
                        .routeId("child")
                        .routePolicy(new LeaseRoutePolicy(childLease))
                        .to("mock:done");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"parent", "child"})
    void workInFlightGoesThroughALeasedChildToItsEndWhileTheContextStops(String childLease) throws Exception {
        Node node = parentAndChild(childLease).start();
        Files.writeString(directory.resolve("f.txt"), "x");
        assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
        var done = node.context.getEndpoint("mock:done", MockEndpoint.class);
        var dead = node.context.getEndpoint("mock:dead", MockEndpoint.class);

        Thread stop = new Thread(node::close, "test-stop");
        stop.start();
        await().atMost(Duration.ofSeconds(5)).until(() -> node.context.isStopping());
        goOn.countDown();
        stop.join(Duration.ofSeconds(20).toMillis());

        assertThat(stop.isAlive()).isFalse();
        assertThat(done.getReceivedCounter()).isEqualTo(1);
        assertThat(dead.getReceivedCounter()).isZero();
        assertThat(directory.resolve("f.txt")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parent", "child"})
    void workInFlightGoesThroughALeasedChildToItsEndAfterALoss(String childLease) throws Exception {
        try (Node node = parentAndChild(childLease).start()) {
            Files.writeString(directory.resolve("f.txt"), "x");
            assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
            var done = node.context.getEndpoint("mock:done", MockEndpoint.class);

            store.steal(new LeaseName("parent"), HolderId.unique("thief"), Duration.ofMinutes(1));
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> node.events.stream().anyMatch(LeaseEvent.Lost.class::isInstance));
            goOn.countDown();

            await().atMost(Duration.ofSeconds(10)).until(() -> done.getReceivedCounter() == 1);
        }
    }

    private Node called(boolean isNested) throws Exception {
        return with(node("A"), new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                from("direct:in").routeId("in").to("direct:a").to(isNested ? "mock:in" : "direct:b");
                from("direct:a")
                        .routeId("a")
                        .routePolicy(new LeaseRoutePolicy("a"))
                        .to("mock:a")
                        .to(isNested ? "direct:b" : "mock:a2");
                from("direct:b")
                        .routeId("b")
                        .routePolicy(new LeaseRoutePolicy("b"))
                        .to("mock:b");
            }
        });
    }

    /** What calls it has no lease: that it called a leased route before is nothing to the next one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeasedRouteAsksForItsOwnLeaseUnlessALeasedOneWaitsForIt(boolean isNested) throws Exception {
        store.steal(new LeaseName("b"), HolderId.unique("thief"), Duration.ofMinutes(1));
        try (Node node = called(isNested).start();
                ProducerTemplate template = node.context.createProducerTemplate()) {
            await().atMost(Duration.ofSeconds(5)).until(() -> node.holds(new LeaseName("a")));

            Exchange answer = template.send("direct:in", exchange -> {});

            assertThat(node.context.getEndpoint("mock:a", MockEndpoint.class).getReceivedCounter())
                    .isEqualTo(1);
            assertThat(node.context.getEndpoint("mock:b", MockEndpoint.class).getReceivedCounter())
                    .isEqualTo(isNested ? 1 : 0);
            if (isNested) {
                assertThat(answer.getException()).isNull();
            } else {
                assertThat(answer.getException()).isInstanceOf(LeaseLostException.class);
            }
        }
    }

    @Test
    void aServiceThatTwoContextsShareRefusesTheSecond() throws Exception {
        try (Node node = with(node("A"), timer(new LeaseRoutePolicy())).start();
                DefaultCamelContext second = new DefaultCamelContext()) {
            assertThatThrownBy(() -> {
                        second.getRegistry().bind("leases", node.leases);
                        second.addRoutes(timer(new LeaseRoutePolicy()));
                        second.start();
                    })
                    .hasMessageContaining("CamelContext 'A-test'")
                    .hasMessageContaining("each context needs its own");
        }
    }

    @Test
    void aPolicyThatTwoContextsShareRefusesTheSecond() throws Exception {
        LeaseRoutePolicy shared = new LeaseRoutePolicy();
        try (Node node = with(node("A"), timer(shared)).start();
                Node second = with(node("B"), timer(shared))) {
            assertThat(node.context.isStarted()).isTrue();
            assertThatThrownBy(second::start).rootCause().hasMessageContaining("each context needs its own");
        }
    }

    private static RouteBuilder timer(LeaseRoutePolicy policy) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:t?period=50").routeId("t").routePolicy(policy).to("mock:t");
            }
        };
    }

    @Test
    void aLeaseIsWatchedOnWhenRoutesAreStoppedAndStartedAtTheSameTime() throws Exception {
        try (Node node = with(node("A"), timer(new LeaseRoutePolicy())).start()) {
            Runnable switching = () -> {
                for (int i = 0; i < 15; i++) {
                    try {
                        node.context.getRouteController().stopRoute("t");
                        node.context.getRouteController().startRoute("t");
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                }
            };
            Thread one = new Thread(switching, "test-switch-1");
            Thread two = new Thread(switching, "test-switch-2");
            one.start();
            two.start();
            one.join(Duration.ofSeconds(60).toMillis());
            two.join(Duration.ofSeconds(60).toMillis());
            node.context.getRouteController().startRoute("t");

            var endpoint = node.context.getEndpoint("mock:t", MockEndpoint.class);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> node.leases.electors().get(0).lease().isPresent());
            int before = endpoint.getReceivedCounter();
            await().atMost(Duration.ofSeconds(10)).until(() -> endpoint.getReceivedCounter() > before + 3);
        }
    }
}
