/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.testkit.Fault;
import io.camellease.testkit.InMemoryLeaseStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.impl.cluster.ClusteredRouteController;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Camel's own clustered routes on leases. */
class ClusteredRoutesTest {

    private static final HolderId THIEF = HolderId.unique("thief");
    private static final Duration MASTER_START_DELAY = Duration.ofSeconds(1);

    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private final List<Member> members = new ArrayList<>();
    private final AtomicInteger atA = new AtomicInteger();
    private final AtomicInteger atB = new AtomicInteger();
    private final ExecutorService stopper = Executors.newSingleThreadExecutor();

    private Member member(String label) throws Exception {
        Member member = new Member(label, "shop", store);
        members.add(member);
        return member;
    }

    @AfterEach
    void stopAll() {
        members.forEach(Member::close);
        stopper.shutdownNow();
    }

    private static ConditionFactory soon() {
        return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
    }

    private static void flows(AtomicInteger count) {
        int before = count.get();
        soon().until(() -> count.get() > before + 2);
    }

    private Member master(String label, AtomicInteger count) throws Exception {
        Member member = member(label);
        RouteBuilder.addRoutes(member.context, routes -> routes.from("master:ns:timer:t?period=20&delay=0")
                .routeId("ticks")
                .process(exchange -> count.incrementAndGet()));
        member.context.start();
        return member;
    }

    private Member policy(String label, AtomicInteger count) throws Exception {
        Member member = member(label);
        ClusteredRoutePolicy policy = ClusteredRoutePolicy.forNamespace(member.context, "ns");
        RouteBuilder.addRoutes(member.context, routes -> routes.from("timer:t?period=20&delay=0")
                .routeId("ticks")
                .routePolicy(policy)
                .process(exchange -> count.incrementAndGet()));
        member.context.start();
        return member;
    }

    private void assertTakeover(Member a) {
        flows(atA);
        assertThat(atB).hasValue(0);

        a.store.standing(Fault.lostRequest());
        long cutAt = System.nanoTime();

        soon().until(() -> atB.get() > 0);
        Duration took = Duration.ofNanos(System.nanoTime() - cutAt);
        Duration limit = Member.TTL.plus(Member.TTL.dividedBy(10)).plus(MASTER_START_DELAY);
        System.out.printf(
                "Takeover of a clustered route after %d ms; ttl %d ms%n", took.toMillis(), Member.TTL.toMillis());
        assertThat(took).isLessThan(limit.multipliedBy(2));
        int atAThen = atA.get();
        flows(atB);
        assertThat(atA).hasValue(atAThen);
    }

    @Test
    void aMasterRouteRunsOnOneNodeAndThenOnTheOther() throws Exception {
        Member a = master("a", atA);
        soon().until(() -> a.cluster.isLeader("ns"));
        master("b", atB);

        assertTakeover(a);
    }

    @Test
    void aRouteWithAClusteredPolicyRunsOnOneNodeAndThenOnTheOther() throws Exception {
        Member a = policy("a", atA);
        soon().until(() -> a.cluster.isLeader("ns"));
        policy("b", atB);

        assertTakeover(a);
    }

    @Test
    void aMasterRouteIsHandedOverWhenItsNodeStops() throws Exception {
        Member a = master("a", atA);
        soon().until(() -> a.cluster.isLeader("ns"));
        flows(atA);
        master("b", atB);

        a.close();

        int atAThen = atA.get();
        flows(atB);
        assertThat(atA).hasValue(atAThen);
    }

    @Test
    void aMasterRouteIsHandedOverOnlyWhenItsWorkHasEnded() throws Exception {
        Member a = member("a");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        AtomicInteger unfinished = new AtomicInteger();
        RouteBuilder.addRoutes(a.context, routes -> routes.from("master:ns:timer:t?period=20&delay=0")
                .routeId("slow")
                .process(exchange -> {
                    unfinished.incrementAndGet();
                    begun.countDown();
                    work.await(20, TimeUnit.SECONDS);
                    unfinished.decrementAndGet();
                }));
        a.context.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        Member b = master("b", atB);

        a.cluster.stopView("ns");

        soon().until(() -> !a.cluster.isLeader("ns"));
        Awaitility.await().during(Member.TTL).atMost(Member.TTL.multipliedBy(3)).until(() -> !b.cluster.isLeader("ns"));
        work.countDown();
        soon().until(() -> b.cluster.isLeader("ns"));
        assertThat(unfinished).hasValue(0);
    }

    @Test
    void theClusteredRouteControllerGivesTheLeaseBackAfterTheWork() throws Exception {
        Member a = member("a");
        ClusteredRouteController controller = new ClusteredRouteController();
        controller.setNamespace("ns");
        controller.setClusterService(a.cluster);
        a.context.setRouteController(controller);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger unfinished = new AtomicInteger();
        RouteBuilder.addRoutes(a.context, routes -> routes.from("timer:t?period=20&delay=0")
                .routeId("slow")
                .process(exchange -> {
                    unfinished.incrementAndGet();
                    begun.countDown();
                    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
                    unfinished.decrementAndGet();
                }));
        a.context.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        Member b = policy("b", atB);
        AtomicInteger atTheFirstOfB = new AtomicInteger(-1);
        b.cluster.getView("ns").addEventListener((CamelClusterEventListener.Leadership) (view, leader) -> {
            if (view.getLocalMember().isLeader()) {
                atTheFirstOfB.set(unfinished.get());
            }
        });

        a.close();

        soon().until(() -> atTheFirstOfB.get() >= 0);
        assertThat(atTheFirstOfB).hasValue(0);
    }

    /** Camel's two ways to lead a route. */
    enum Led {
        BY_MASTER,
        BY_POLICY
    }

    @ParameterizedTest
    @EnumSource
    void stoppingAContextWhileItsLeaseIsLostNeverDeadlocks(Led led) throws Exception {
        int rounds = Integer.getInteger("lease.test.stop.rounds", 30) / Led.values().length;
        Random random = new Random(1);
        for (int round = 0; round < rounds; round++) {
            Member member = led == Led.BY_MASTER ? master("m" + round, atA) : policy("p" + round, atA);
            soon().until(() -> member.cluster.isLeader("ns"));

            store.steal(member.lease("ns"), THIEF, Duration.ofMillis(1));
            // the loss is noticed at the next renewal
            LockSupport.parkNanos(random.nextLong(Member.TTL.dividedBy(3).toNanos()));
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(member.context::stop, stopper);

            stopping.get(30, TimeUnit.SECONDS);
            assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads())
                    .isNull();
            members.remove(member);
        }
        System.out.printf("%d contexts led %s were stopped during a loss%n", rounds, led);
    }
}
