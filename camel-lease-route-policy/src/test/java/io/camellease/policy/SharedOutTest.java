/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseElector;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many leased routes spread over the nodes, as far as the options allow. How evenly, if no node is slower than another, {@code
 * SpreadTest} shows in virtual time.
 */
@CaseTest
class SharedOutTest {

    private static final int ROUTES = 60;

    /** So long that a claim interval, 3 s, is more than a busy machine keeps one of three contexts from starting. */
    private static final Duration TTL = Duration.ofSeconds(30);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private Node node(String label, int routes) throws Exception {
        return cluster.node(label).ttl(TTL).routes(builder -> {
            for (int i = 0; i < routes; i++) {
                builder.from("seda:r" + i + "?pollTimeout=100")
                        .routeId("r" + i)
                        .routePolicyRef("lease")
                        .to("log:done");
            }
        });
    }

    private static void startTogether(List<Node> nodes) {
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        CompletableFuture<?>[] starts = nodes.stream()
                .map(node -> CompletableFuture.runAsync(node::start, threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(starts).orTimeout(60, TimeUnit.SECONDS).join();
        threads.shutdown();
    }

    private static int held(Node node) {
        return (int) node.leases.electors().stream()
                .filter(elector -> elector.check().isPresent())
                .count();
    }

    private static int held(List<Node> nodes) {
        return nodes.stream().mapToInt(SharedOutTest::held).sum();
    }

    @Test
    void threeNodesHaveAThirdEachAndTwoThatAreLeftShareWhatTheThirdHad() throws Exception {
        List<Node> nodes = List.of(node("A", ROUTES), node("B", ROUTES), node("C", ROUTES));
        startTogether(nodes);
        soon().until(() -> held(nodes) == ROUTES);
        List<Integer> first = nodes.stream().map(SharedOutTest::held).toList();
        System.out.printf("[lease figures] %d leases on three nodes that start together: %s%n", ROUTES, first);
        assertThat(first).allSatisfy(held -> assertThat(held).isBetween(10, 30));

        Node most =
                nodes.stream().max(Comparator.comparingInt(SharedOutTest::held)).orElseThrow();
        List<Node> left = nodes.stream().filter(node -> node != most).toList();
        most.isolate();
        long cutOff = System.nanoTime();
        within(TTL.plus(TTL)).until(() -> held(left) == ROUTES);
        List<Integer> then = left.stream().map(SharedOutTest::held).toList();
        System.out.printf(
                "[lease figures] after one was cut off, the other two: %s, all after %d ms%n",
                then, (System.nanoTime() - cutOff) / 1_000_000);
        assertThat(then).allSatisfy(held -> assertThat(held).isBetween(22, 38));
    }

    @Test
    void aNodeHoldsNoMoreThanItMayAndSaysWhatNobodyHolds() throws Exception {
        try (LogLines log = LogLines.open()) {
            Node a = node("A", 3);
            a.leases.setMaxLeases(2);
            a.start();
            soon().until(() -> withheld(a).size() == 1);

            assertThat(held(a)).isEqualTo(2);
            assertThat(withheld(a)).singleElement().satisfies(status -> assertThat(status.lastError())
                    .hasValue(
                            "nobody holds it, and this node has as many leases as maxLeases allows: raise that, or start"
                                    + " another node"));
            String says = "Nobody holds lease '" + withheld(a).get(0).name() + "'";
            soon().until(() -> !log.of(Level.WARN, says, "maxLeases=2").isEmpty());
            assertThat(log.of(Level.WARN, says)).hasSize(1);

            Node b = node("B", 3).start();
            soon().until(() -> held(b) == 1 && withheld(a).isEmpty());
            assertThat(held(a)).isEqualTo(2);
        }
    }

    private static List<LeaseStatus> withheld(Node node) {
        return node.leases.statuses().stream()
                .filter(status -> status.lastError().isPresent())
                .toList();
    }

    @Test
    void routesRunOnTheNodeThatTheirPolicyOrTheyThemselvesPrefer() throws Exception {
        List<Node> nodes = Stream.of("A", "B").map(this::preferring).toList();
        startTogether(nodes);
        soon().until(() -> held(nodes) == 3);

        assertThat(nodes.get(0).holds("forA")).isTrue();
        assertThat(nodes.get(1).holds("forB")).isTrue();
        assertThat(nodes.get(1).holds("forBToo")).isTrue();
    }

    private Node preferring(String label) {
        Node node = cluster.node(label).ttl(Duration.ofSeconds(20));
        LeaseRoutePolicy onB = new LeaseRoutePolicy();
        onB.setPreferredNode("B");
        try {
            return node.routes(builder -> {
                RouteDefinition forA = builder.from("seda:a").routeId("forA").routePolicy(onB);
                forA.routeProperty(LeaseConstants.PREFERRED_NODE, "A").to("log:done");
                builder.from("seda:b").routeId("forB").routePolicy(onB).to("log:done");
                builder.from("seda:c")
                        .routeId("forBToo")
                        .routePolicyRef("lease")
                        .routeProperty(LeaseConstants.PREFERRED_NODE, "B")
                        .to("log:done");
            });
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void ofRoutesThatShareALeaseTheFirstSaysWhichNodeAndTheOthersAreTold() throws Exception {
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        policy.setLeaseName(cluster.lease("shared").value());
        Node node = cluster.node("A");
        try (LogLines log = LogLines.open()) {
            node.routes(builder -> {
                        preferring(builder, "one", policy, "first");
                        preferring(builder, "two", policy, "first");
                        preferring(builder, "three", policy, "second");
                    })
                    .start();

            List<String> warnings = log.of(Level.WARN, cluster.lease("shared"), "is ignored");
            assertThat(warnings).singleElement().asString().contains("'three'", "'second'", "'one'", "'first'");
        }
    }

    private static void preferring(RouteBuilder builder, String routeId, LeaseRoutePolicy policy, String label) {
        builder.from("seda:" + routeId)
                .routeId(routeId)
                .routePolicy(policy)
                .routeProperty(LeaseConstants.PREFERRED_NODE, label)
                .to("log:done");
    }

    @Test
    void aRouteRunsElsewhereWhenThePreferredNodeIsNotThere() throws Exception {
        Node a = preferring("A").start();
        soon().until(() -> held(a) == 3);
        Stream<LeaseElector> electors = a.leases.electors().stream();

        assertThat(electors).allSatisfy(elector -> assertThat(elector.check()).isPresent());
    }
}
