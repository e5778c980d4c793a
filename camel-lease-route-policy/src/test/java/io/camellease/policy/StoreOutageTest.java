/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However long the store is away: nobody works without a lease, everything else works, and afterwards all is as before. */
@CaseTest
class StoreOutageTest {

    private static final int PACE_MILLIS = 50;
    private static final int LEASES = 5;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    static Stream<Fault> outages() {
        return Stream.of(Fault.lostRequest(), Fault.hang());
    }

    @ParameterizedTest
    @MethodSource("outages")
    void c60_nodesThatStartWithoutTheStoreComeUpAndOneIsActiveOnceItIsThere(Fault outage) throws Exception {
        Duration ttl = Duration.ofSeconds(3);
        Duration claimInterval = ttl.dividedBy(10);
        List<Node> nodes =
                Stream.of("A", "B").map(label -> cluster.node(label).ttl(ttl)).toList();
        Feeder.drop(directory, 0, 10);
        for (Node node : nodes) {
            node.store.standing(outage);
            node.files("orders", directory, () -> {});
            node.routes(routes ->
                    routes.from("timer:free?delay=0&period=50").routeId("free").process(journal.note(node.label)));
        }

        long beforeStart = System.nanoTime();
        nodes.forEach(Node::start);
        assertThat(Duration.ofNanos(System.nanoTime() - beforeStart)).isLessThan(Duration.ofSeconds(5));
        for (Node node : nodes) {
            node.assertFlows("free");
            soon().until(() -> node.store.calls(Operation.FIND) > 5);
            assertThat(journal.begun(node.label, "orders")).isEmpty();
        }
        nodes.forEach(Node::heal);

        Duration start = Duration.ofSeconds(1);
        within(claimInterval.plus(start)).until(() -> nodes.stream().anyMatch(node -> node.holds("orders")));
        soon().until(() -> ended("orders") == 10);
        stays(
                claimInterval.multipliedBy(2),
                () -> nodes.stream().filter(node -> node.holds("orders")).count() == 1);
        assertThat(Journal.tokens(journal.begun().stream()
                        .filter(entry -> entry.route().equals("orders"))
                        .toList()))
                .hasSize(1);
    }

    private long ended(String route) {
        return journal.ended().stream()
                .filter(entry -> entry.route().equals(route))
                .count();
    }

    /** What an outage looks like to a node. */
    private enum Outage {
        REFUSED {
            @Override
            void begin(Node node) {
                node.store.standing(Fault.lostRequest());
            }
        },
        HANGING {
            @Override
            void begin(Node node) {
                node.store.standing(Fault.hang());
            }
        },
        READ_ONLY {
            @Override
            void begin(Node node) {
                for (int i = 0; i < 10_000; i++) {
                    WRITES.forEach(write -> node.store.script(write, Fault.lostRequest()));
                }
            }
        };

        private static final List<Operation> WRITES = List.of(Operation.CLAIM, Operation.RENEW, Operation.RELEASE);

        abstract void begin(Node node);
    }

    /** How many outages, every second of them of 60 ttl. */
    private static final int OUTAGES = Integer.getInteger("lease.test.outages", 3);

    /** 10 ttl once, then shorter. */
    private static int ttls(int outage) {
        if (OUTAGES > 3) {
            return outage % 2 == 0 ? 10 : 60;
        }
        return outage == 0 ? 10 : 2;
    }

    @Test
    @Timeout(1800)
    void c61_anOutageOfManyTtlsSilencesAllLeasesAndAllComeBackEveryTime() throws Exception {
        Duration ttl = Duration.ofSeconds(1);
        List<Node> nodes =
                Stream.of("A", "B").map(label -> cluster.node(label).ttl(ttl)).toList();
        List<String> routes = IntStream.range(0, LEASES).mapToObj(i -> "r" + i).toList();
        List<Feeder> feeders = routes.stream()
                .map(route -> Feeder.every(PACE_MILLIS, directory.resolve(route)))
                .toList();
        for (Node node : nodes) {
            for (String route : routes) {
                node.files(route, directory.resolve(route), () -> {});
            }
            node.start();
        }
        assertAllFlow(routes);
        List<Long> backAfterMillis = new ArrayList<>();

        for (int i = 0; i < OUTAGES; i++) {
            Outage outage = Outage.values()[i % Outage.values().length];
            nodes.forEach(outage::begin);
            long beganAt = System.nanoTime();
            soon().until(() -> nodes.stream().noneMatch(node -> holdsAny(node, routes)));
            long silentAt = System.nanoTime();
            stays(ttl.multipliedBy(ttls(i)), () -> journal.begun().stream()
                    .allMatch(entry -> entry.checkedAt() < silentAt));
            assertThat(journal.begun())
                    .allSatisfy(entry -> assertThat(entry.checkedAt() - beganAt).isLessThan(ttl.toNanos()));

            nodes.forEach(Node::heal);
            long healedAt = System.nanoTime();
            within(ttl.plusSeconds(3)).until(() -> routes.stream().allMatch(route -> holders(nodes, route) == 1));
            backAfterMillis.add(Duration.ofNanos(System.nanoTime() - healedAt).toMillis());
            assertAllFlow(routes);
        }
        System.out.println(
                "[lease figures] C61: ttl 1 s, after each outage all 5 leases held again after ms: " + backAfterMillis);

        int files = feeders.stream().mapToInt(Feeder::stop).sum();
        soon().until(() -> journal.ended().size() == files);
        journal.assertNoOverlap();
        for (String route : routes) {
            assertThat(Journal.files(journal.begun().stream()
                            .filter(entry -> entry.route().equals(route))
                            .toList()))
                    .doesNotHaveDuplicates();
        }
    }

    private void assertAllFlow(List<String> routes) {
        for (String route : routes) {
            long before = ended(route);
            soon().until(() -> ended(route) > before + 2);
        }
    }

    private static boolean holdsAny(Node node, List<String> routes) {
        return routes.stream().anyMatch(node::holds);
    }

    private static long holders(List<Node> nodes, String route) {
        return nodes.stream().filter(node -> node.holds(route)).count();
    }
}
