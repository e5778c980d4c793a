/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.camel.Route;
import org.apache.camel.support.RoutePolicySupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Routes that come and go while the context runs, and routes that share a lease. */
@CaseTest
class RoutesAtRunTimeTest {

    private static final int PACE_MILLIS = 30;
    private static final Duration TTL = Duration.ofMillis(1500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(PACE_MILLIS, directory);
    }

    @AfterEach
    void stopFeeding() {
        feeder.close();
    }

    private Node node(String label) {
        return cluster.node(label).ttl(TTL);
    }

    /** A start that was under way may come after the stop, and is then undone by the policy. */
    private static void remove(Node node, String routeId) throws Exception {
        node.context.getRouteController().stopRoute(routeId);
        soon().until(() -> node.context.removeRoute(routeId));
    }

    @Test
    void aRouteThatIsRemovedGivesItsLeaseAwayAndOneThatIsAddedAgainWaitsForIt() throws Exception {
        Node a = node("A").start().files("orders", directory, () -> {});
        a.assertFlows("orders");
        Node b = node("B").start().files("orders", directory, () -> {});
        b.assertSilent("orders");

        remove(a, "orders");
        b.assertFlows("orders");
        a.files("orders", directory, () -> {});
        a.assertSilent("orders");
        remove(b, "orders");
        a.assertFlows("orders");

        assertThat(Journal.tokens(journal.begun())).hasSize(3).isSorted();
    }

    private static final int LANES = 10;
    private static final int ROUNDS = 30;
    private static final Duration LONG_TTL = Duration.ofSeconds(12);

    /** Adds a route with a lease of its own, waits up to half a second, and removes it, while another node wants the lease. */
    private long addAndRemove(Node a, Node b, String routeId, int pauseMillis) throws Exception {
        LeaseName own = cluster.lease(routeId);
        a.files(routeId, directory.resolve(routeId), () -> {});
        Waiting.outlast(Duration.ofMillis(pauseMillis));
        b.files(routeId, directory.resolve(routeId), () -> {});
        remove(a, routeId);
        long removedAt = System.nanoTime();
        soon().until(() -> b.holds(own));
        long waited = System.nanoTime() - removedAt;
        remove(b, routeId);
        assertThat(a.wire.writesSince(own, removedAt))
                .extracting(Wire.Write::what)
                .as("sent after the removal of %s", routeId)
                .doesNotContain("claim", "renew")
                .hasSizeLessThanOrEqualTo(1);
        return waited;
    }

    @Test
    void c54_aRouteThatIsRemovedAtAnyMomentLeavesNothingBehind() throws Exception {
        Node a = node("A").ttl(LONG_TTL);
        a.store.standing(Fault.slow(Duration.ofMillis(200)));
        a.start();
        Node b = node("B").ttl(LONG_TTL);
        b.leases.setClaimInterval("100ms");
        b.start();

        ExecutorService threads = Executors.newFixedThreadPool(LANES);
        List<CompletableFuture<Long>> lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> CompletableFuture.supplyAsync(() -> longestOf(a, b, lane), threads))
                .toList();
        long longest = lanes.stream().mapToLong(CompletableFuture::join).max().orElseThrow();
        threads.shutdown();

        System.out.printf(
                "[lease figures] %d routes added and removed with a store latency of 200 ms: the other node held the lease"
                        + " after at most %d ms%n",
                LANES * ROUNDS, longest / 1_000_000);
        assertThat(Duration.ofNanos(longest)).isLessThan(LONG_TTL.dividedBy(2));
        soon().until(() -> a.leases.electors().isEmpty() && b.leases.electors().isEmpty());
        int renewals = a.store.calls(Operation.RENEW) + b.store.calls(Operation.RENEW);
        stays(
                Duration.ofMillis(500),
                () -> a.store.calls(Operation.RENEW) + b.store.calls(Operation.RENEW) == renewals);
    }

    private long longestOf(Node a, Node b, int lane) {
        Random random = new Random(54 + lane);
        try {
            long longest = 0;
            for (int i = 0; i < ROUNDS; i++) {
                longest = Math.max(longest, addAndRemove(a, b, "l" + lane + "-" + i, random.nextInt(500)));
            }
            return longest;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void c54_aRouteThatIsRemovedAndAddedAgainAtOnceManyTimesEndsUpWithItsLease() throws Exception {
        Node a = node("A").ttl(Duration.ofSeconds(1)).start();
        Random random = new Random(54);

        for (int i = 0; i < 20; i++) {
            a.files("orders", directory, () -> {});
            Waiting.outlast(Duration.ofMillis(random.nextInt(150)));
            remove(a, "orders");
        }
        a.files("orders", directory, () -> {});
        a.assertFlows("orders");
        assertThat(a.leases.electors()).hasSize(1);
        remove(a, "orders");

        soon().until(() -> !cluster.record(lease).isHeld());
        soon().until(() -> a.leases.electors().isEmpty());
        int renewals = a.store.calls(Operation.RENEW);
        stays(Duration.ofSeconds(1), () -> !cluster.record(lease).isHeld());
        assertThat(a.store.calls(Operation.RENEW)).isEqualTo(renewals);
        Node b = node("B").files("orders", directory, () -> {}).start();
        b.assertFlows("orders");
    }

    @Test
    void aRouteThatIsReplacedWhileItRunsGoesOnUnderItsLease() throws Exception {
        Node a = node("A").files("orders", directory, () -> {}).start();
        a.assertFlows("orders");

        for (int i = 0; i < 3; i++) {
            a.files("orders", directory, () -> {});
            a.assertFlows("orders");
        }
        cluster.loseAndRegain(a, lease);
        a.assertFlows("orders");
        cluster.lose(a, lease, Duration.ofSeconds(1));
        a.assertSilent("orders");

        assertThat(a.leases.electors()).hasSize(1);
        assertThat(journal.begun())
                .allSatisfy(entry -> assertThat(entry.token()).isPositive());
        assertThat(Journal.tokens(journal.begun())).isSorted();
    }

    @Test
    void aRouteThatIsRemovedAtWorkKeepsItsLeaseUntilTheWorkHasEnded() throws Exception {
        Brake brake = new Brake();
        Node a = node("A").files("orders", directory, () -> Waiting.outlast(TTL.multipliedBy(3)));
        a.start();
        soon().until(() -> journal.begun("A").size() == 1);
        Node b = node("B").files("orders", directory, brake).start();

        a.context.getRouteController().stopRoute("orders", 200, TimeUnit.MILLISECONDS);
        assertThat(a.context.removeRoute("orders")).isTrue();
        soon().until(() -> brake.holding() == 1);
        brake.release();

        assertThat(journal.ended("A")).hasSize(1);
        assertThat(journal.begun("B").get(0).at())
                .isGreaterThan(journal.ended("A").get(0).at());
        assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
        b.assertFlows("orders");
    }

    /** Camel counts an exchange that outlives its route against the next route of that id, which then has less than none in flight. */
    @Test
    void aRouteThatIsReplacedAtWorkDrainsAndTakesPartAsEver() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Node a = node("A").files("orders", directory, () -> {
            Waiting.outlast(TTL.multipliedBy(2));
            isOver.set(true);
        });
        a.start();
        soon().until(() -> journal.begun("A").size() == 1);
        a.context.getRouteController().stopRoute("orders", 200, TimeUnit.MILLISECONDS);
        assertThat(a.context.removeRoute("orders")).isTrue();
        a.files("orders", directory, () -> {});
        assertThat(isOver).isFalse();
        soon().until(isOver::get);
        a.assertFlows("orders");

        int released = a.events(LeaseEvent.Released.class).size();
        a.leases.release(lease);

        soon().until(() -> a.events(LeaseEvent.Released.class).size() > released);
        a.assertFlows("orders");
    }

    /** Camel never tells a policy that the route it was set up for never came to be. */
    @Test
    void aRouteWhoseSetUpFailsHoldsNoLeaseForGood() throws Exception {
        Node a = node("A").start();
        RoutePolicySupport failing = new RoutePolicySupport() {
            @Override
            public void onInit(Route route) {
                throw new IllegalStateException("this policy cannot be set up");
            }
        };
        LeaseRoutePolicy policy = new LeaseRoutePolicy();
        assertThatThrownBy(() -> a.routes(routes -> routes.from("timer:x")
                        .routeId("orders")
                        .routePolicy(policy, failing)
                        .to("log:x")))
                .hasStackTraceContaining("cannot be set up");

        soon().until(() -> a.events(LeaseEvent.Released.class).size() == 1);
        a.files("orders", directory, () -> {});
        a.assertFlows("orders");
        a.context.getRouteController().stopRoute("orders");
        assertThat(a.context.removeRoute("orders")).isTrue();
        soon().until(() -> cluster.record(lease).released());
        soon().until(() -> a.leases.statuses().isEmpty());
    }

    @Test
    void aNodeThatIsPausedStaysSoWhenTheRouteIsReplaced() throws Exception {
        Node a = node("A").files("orders", directory, () -> {}).start();
        a.assertFlows("orders");
        a.leases.pauseCandidacy(lease);

        a.context.getRouteController().stopRoute("orders");
        assertThat(a.context.removeRoute("orders")).isTrue();
        soon().until(() -> cluster.record(lease).released());
        // a lease without routes is forgotten
        Waiting.outlast(TTL.dividedBy(3));
        a.files("orders", directory, () -> {});

        stays(Duration.ofSeconds(1), () -> cluster.record(lease).released());
        a.leases.resumeCandidacy(lease);
        a.assertFlows("orders");
    }

    private Node sharing(String label, LeaseName shared) throws Exception {
        LeaseRoutePolicy policy = new LeaseRoutePolicy(shared.value());
        return node(label).routes(routes -> {
            for (String id : List.of("one", "two")) {
                routes.from("timer:" + id + "?delay=0&period=20")
                        .routeId(id)
                        .routePolicy(policy)
                        .process(journal.note(label));
            }
        });
    }

    @Test
    void routesThatShareALeaseRunOnOneNodeUnderOneTokenAndItEndsWithTheLastOfThem() throws Exception {
        LeaseName shared = new LeaseName("shared");
        Node a = sharing("A", shared).start();
        a.assertFlows("one");
        a.assertFlows("two");
        Node b = sharing("B", shared).start();

        a.context.getRouteController().stopRoute("one");
        a.assertFlows("two");
        a.assertSilent("one");
        assertThat(journal.begun("B")).isEmpty();
        a.context.getRouteController().stopRoute("two");
        b.assertFlows("one");
        b.assertFlows("two");

        journal.assertOneAfterTheOther("A", "B");
        assertThat(Journal.tokens(journal.begun("A"))).hasSize(1);
        assertThat(Journal.tokens(journal.begun("B"))).hasSize(1);
    }

    @Test
    void routesThatShareALeaseLoseItTogetherAndOneOfThemCanBeRemoved() throws Exception {
        LeaseName shared = new LeaseName("shared");
        Node a = sharing("A", shared).start();
        a.assertFlows("one");

        cluster.lose(a, shared, Duration.ofSeconds(2));
        a.assertSilent("one");
        a.assertSilent("two");
        soon().until(() -> a.holds(shared));
        a.assertFlows("one");
        a.assertFlows("two");
        remove(a, "one");
        a.assertFlows("two");
        assertThat(a.holds(shared)).isTrue();
        remove(a, "two");

        soon().until(() -> cluster.record(shared).released());
    }

    @Test
    void twoLeasePoliciesOfDifferentServicesAreRefused() throws Exception {
        LeaseService other = new LeaseService();
        other.setNode("A");
        other.setApplication(cluster.lease("other").value());
        other.setClient(cluster.store);
        LeaseRoutePolicy second = new LeaseRoutePolicy();
        second.setLeaseService(other);
        LeaseRoutePolicy first = new LeaseRoutePolicy();
        Node a = node("A");
        first.setLeaseService(a.leases);
        a.routes(routes -> routes.from("timer:t")
                .routeId("orders")
                .routePolicy(first, second)
                .to("log:x"));

        assertThatThrownBy(a::start).hasStackTraceContaining("route 'orders' has lease policies of two lease services");
    }

    @Test
    void ofTwoLeasePoliciesOnOneRouteTheFirstCountsAndTheSecondIsReported() throws Exception {
        try (LogLines log = LogLines.open()) {
            Node a = node("A").routes(routes -> routes.from("timer:t?delay=0&period=20")
                    .routeId("orders")
                    .routePolicy(new LeaseRoutePolicy("first"), new LeaseRoutePolicy("second"))
                    .process(journal.note("A")));
            a.start();
            a.assertFlows("orders");

            assertThat(log.of(Level.WARN, "'orders'", "two lease policies", "'first'", "'second'"))
                    .hasSize(1);
            assertThat(cluster.record(new LeaseName("second")).token()).isZero();
            cluster.lose(a, new LeaseName("first"), Duration.ofSeconds(5));
            a.assertSilent("orders");
        }
    }
}
