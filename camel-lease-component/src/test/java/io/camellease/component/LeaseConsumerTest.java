/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.policy.LeaseCheck;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the consumer tells, and when its lease is given back. */
class LeaseConsumerTest {

    private static final HolderId THIEF = HolderId.unique("thief");
    private static final Duration TTL = Duration.ofSeconds(3);

    private final InMemoryLeaseStore shared = new InMemoryLeaseStore();
    private final List<LeaseNode> nodes = new ArrayList<>();

    /** One exchange. */
    private record Told(
            String event,
            Long token,
            String reason,
            @Nullable String holder,
            @Nullable String previousHolder) {
        static Told of(Exchange exchange) {
            return new Told(
                    header(exchange, LeaseHeaders.EVENT, String.class),
                    header(exchange, LeaseHeaders.TOKEN, Long.class),
                    header(exchange, LeaseHeaders.REASON, String.class),
                    header(exchange, LeaseHeaders.HOLDER, String.class),
                    header(exchange, LeaseHeaders.PREVIOUS_HOLDER, String.class));
        }
    }

    private LeaseNode node(String label) {
        return node(label, TTL);
    }

    private LeaseNode node(String label, Duration ttl) {
        LeaseNode node = new LeaseNode(label, shared, ttl);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void stopAll() {
        nodes.forEach(LeaseNode::close);
    }

    private static <T> T header(Exchange exchange, String name, Class<T> type) {
        return exchange.getMessage().getHeader(name, type);
    }

    private static List<String> events(List<Told> told) {
        return told.stream().map(Told::event).toList();
    }

    /** Takes the lease away for so short a time that the node notices at its next renewal, and may have it again then. */
    private void steal(LeaseNode node, String name) {
        shared.steal(node.leases.leaseName(name), THIEF, Duration.ofMillis(1));
    }

    @Test
    void c93_aTermIsToldOnceHoweverOftenItIsRenewed() throws Exception {
        LeaseNode a = node("a");
        List<Told> told = new CopyOnWriteArrayList<>();
        a.route("leader", "lease:leader?events=acquired", exchange -> told.add(Told.of(exchange)))
                .start();
        soon().until(() -> told.size() == 1);
        soon().until(() -> a.store.calls(Operation.RENEW) >= 5);

        // past U, and back before E: the same term
        a.store.standing(Fault.lostRequest());
        soon().until(() -> a.leases
                .existing(a.leases.leaseName("leader"))
                .orElseThrow()
                .check()
                .isEmpty());
        a.store.heal();
        int renewals = a.store.calls(Operation.RENEW);
        soon().until(() -> a.store.calls(Operation.RENEW) >= renewals + 3);
        long terms = told.stream().map(Told::token).distinct().count();
        assertThat(told).hasSize((int) terms);
        int before = told.size();

        steal(a, "leader");

        soon().until(() -> told.size() == before + 1);
        assertThat(told.get(before).token()).isGreaterThan(told.get(0).token());
        assertThat(told).extracting(Told::event).containsOnly("acquired");
        assertThat(told.stream().map(Told::token).distinct().count()).isEqualTo(told.size());
    }

    @Test
    void allThatHappensIsToldInOrderWithWhoAndWhy() throws Exception {
        LeaseNode a = node("a");
        LeaseNode b = node("b");
        List<Told> atA = new CopyOnWriteArrayList<>();
        List<Told> atB = new CopyOnWriteArrayList<>();
        a.route("leader", "lease:leader", exchange -> atA.add(Told.of(exchange)))
                .start();
        soon().until(() -> atA.size() == 1);
        b.route("leader", "lease:leader", exchange -> atB.add(Told.of(exchange)))
                .start();
        soon().until(() -> atB.size() == 1);

        a.store.standing(Fault.lostRequest());
        soon().until(() -> events(atB).contains("acquired") && events(atA).contains("lost"));
        a.store.heal();
        soon().until(() -> events(atA).contains("holderChanged"));
        b.close();
        soon().until(() -> atA.size() == 4);
        a.close();

        String idOfA = a.leases.holder().map(HolderId::value).orElseGet(() -> atA.get(0)
                .holder());
        String idOfB = atB.get(1).holder();
        assertThat(events(atA)).containsExactly("acquired", "lost", "holderChanged", "acquired", "released");
        assertThat(events(atB)).containsExactly("holderChanged", "acquired", "released");
        long first = atA.get(0).token();
        long second = atB.get(1).token();
        long third = atA.get(3).token();
        assertThat(atA)
                .containsExactly(
                        new Told("acquired", first, "granted", idOfA, null),
                        new Told("lost", first, "expired", null, idOfA),
                        new Told("holderChanged", second, "observed", idOfB, idOfA),
                        new Told("acquired", third, "granted", idOfA, idOfB),
                        new Told("released", third, "stopped", null, idOfA));
        assertThat(atB)
                .containsExactly(
                        new Told("holderChanged", first, "observed", idOfA, null),
                        new Told("acquired", second, "granted", idOfB, idOfA),
                        new Told("released", second, "stopped", null, idOfB));
        assertThat(first).isLessThan(second);
        assertThat(second).isLessThan(third);
    }

    @Test
    void theLeaseIsGivenBackWhenTheExchangesHaveEnded() throws Exception {
        LeaseNode a = node("a");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        List<String> events = new CopyOnWriteArrayList<>();
        AtomicBoolean heldAtTheEnd = new AtomicBoolean();
        a.route("leader", "lease:leader?events=acquired,released", exchange -> {
            String event = header(exchange, LeaseHeaders.EVENT, String.class);
            if (event.equals("acquired")) {
                begun.countDown();
                work.await(20, TimeUnit.SECONDS);
                heldAtTheEnd.set(a.record("leader").isHeld());
            }
            events.add(event);
        });
        a.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(a.context::stop);
        soon().until(() -> a.context.isStopping());
        int renewals = a.store.calls(Operation.RENEW);
        soon().until(() -> a.store.calls(Operation.RENEW) > renewals + 3);
        assertThat(shared.find(List.of(a.leases.leaseName("leader"))).records().values())
                .allMatch(record -> record.isHeld());
        work.countDown();

        stopping.get(30, TimeUnit.SECONDS);
        assertThat(heldAtTheEnd).isTrue();
        assertThat(events).containsExactly("acquired", "released");
        assertThat(a.record("leader").released()).isTrue();
    }

    @Test
    void aRouteThatIsStoppedAndStartedGivesTheLeaseBackAndTakesPartAgain() throws Exception {
        LeaseNode a = node("a");
        List<Told> told = new CopyOnWriteArrayList<>();
        a.route("leader", "lease:leader?events=acquired", exchange -> told.add(Told.of(exchange)))
                .start();
        soon().until(() -> told.size() == 1);

        a.context.getRouteController().stopRoute("leader");
        assertThat(a.record("leader").released()).isTrue();
        a.context.getRouteController().startRoute("leader");
        soon().until(() -> told.size() == 2);

        a.context.getRouteController().suspendRoute("leader");
        soon().until(() -> a.record("leader").released());
        a.context.getRouteController().resumeRoute("leader");
        soon().until(() -> told.size() == 3);

        a.context.getRouteController().stopRoute("leader");
        assertThat(a.context.removeRoute("leader")).isTrue();
        assertThat(a.leases.allElectors()).isEmpty();
    }

    @Test
    void oneRouteThatBlocksDelaysNoOtherLease() throws Exception {
        LeaseNode a = node("a");
        CountDownLatch work = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        a.route("slow", "lease:slow", exchange -> work.await(30, TimeUnit.SECONDS));
        for (int i = 0; i < 20; i++) {
            a.route("quick" + i, "lease:quick" + i + "?events=acquired", exchange -> others.incrementAndGet());
        }
        a.start();

        soon().until(() -> others.get() == 20);
        int renewals = a.store.calls(Operation.RENEW);
        soon().until(() -> a.store.calls(Operation.RENEW) > renewals + 3);
        assertThat(a.record("slow").isHeld()).isTrue();
        work.countDown();
    }

    @Test
    void eachOfAHundredLeasesIsToldOfItsOwnEventsOnly() throws Exception {
        LeaseNode a = node("a", Duration.ofSeconds(6));
        int leases = 100;
        Map<String, List<String>> told = new ConcurrentHashMap<>();
        for (int i = 0; i < leases; i++) {
            String name = "n" + i;
            told.put(name, new CopyOnWriteArrayList<>());
            a.route(name, "lease:" + name + "?events=acquired,lost,released", exchange -> {
                assertThat(header(exchange, LeaseHeaders.NAME, String.class)).isEqualTo("shop/" + name);
                told.get(name).add(header(exchange, LeaseHeaders.EVENT, String.class));
            });
        }
        a.start();
        soon().until(() -> told.values().stream().allMatch(events -> events.size() == 1));

        steal(a, "n42");

        soon().until(() -> told.get("n42").size() == 3);
        assertThat(told.get("n42")).containsExactly("acquired", "lost", "acquired");
        told.forEach((name, events) -> {
            if (!name.equals("n42")) {
                assertThat(events).as(name).containsExactly("acquired");
            }
        });
    }

    @Test
    void aLeaseOfARouteIsWatched() throws Exception {
        LeaseNode a = node("a");
        List<Told> told = new CopyOnWriteArrayList<>();
        RouteBuilder.addRoutes(a.context, routes -> {
            routes.from("timer:t?delay=0&period=50")
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .log("orders");
            routes.from("lease:orders?events=acquired,lost,released")
                    .routeId("watch")
                    .process(exchange -> told.add(Told.of(exchange)));
            routes.from("lease:orders?events=acquired").routeId("watch-too").log("watch too");
        });
        a.start();
        soon().until(() -> told.size() == 1);
        assertThat(a.leases.electors()).hasSize(1);
        assertThat(a.leases.allElectors()).hasSize(1);

        steal(a, "orders");

        soon().until(() -> told.size() == 3);
        assertThat(events(told)).containsExactly("acquired", "lost", "acquired");
        a.context.getRouteController().stopRoute("watch");
        assertThat(a.record("orders").isHeld()).isTrue();
    }

    @Test
    void severalConsumersOfOneLeaseAreToldAndTheLastGivesItBack() throws Exception {
        LeaseNode a = node("a");
        List<String> one = new CopyOnWriteArrayList<>();
        List<String> two = new CopyOnWriteArrayList<>();
        a.route("one", "lease:leader?events=acquired", exchange -> one.add("acquired"))
                .start();
        soon().until(() -> one.size() == 1);
        a.route("two", "lease:leader?events=acquired,lost", exchange -> two.add("acquired"));
        soon().until(() -> two.size() == 1);

        a.context.getRouteController().stopRoute("one");
        assertThat(a.record("leader").isHeld()).isTrue();
        a.context.getRouteController().stopRoute("two");
        assertThat(a.record("leader").released()).isTrue();
    }

    @Test
    void theExchangeOfATermCanCheckIt() throws Exception {
        LeaseNode a = node("a");
        List<Boolean> checks = new CopyOnWriteArrayList<>();
        CountDownLatch stolen = new CountDownLatch(1);
        LeaseCheck check = new LeaseCheck();
        LeaseHeld held = new LeaseHeld("leader");
        a.route("leader", "lease:leader?events=acquired", exchange -> {
            if (checks.isEmpty()) {
                checks.add(check.matches(exchange) && held.matches(exchange));
                stolen.await(20, TimeUnit.SECONDS);
                soon().until(() -> !check.matches(exchange));
                checks.add(held.matches(exchange));
            }
        });
        a.start();
        soon().until(() -> checks.size() == 1);

        shared.steal(a.leases.leaseName("leader"), THIEF, Duration.ofSeconds(20));
        stolen.countDown();

        soon().until(() -> checks.size() == 2);
        assertThat(checks).containsExactly(true, false);
    }

    @Test
    void aTermThatIsOverBeforeItsExchangeCouldBeginIsNotTold() throws Exception {
        LeaseNode a = node("a");
        List<Told> told = new CopyOnWriteArrayList<>();
        CountDownLatch work = new CountDownLatch(1);
        LeaseNode b = node("b");
        b.route("leader", "lease:leader?events=acquired", exchange -> {}).start();
        soon().until(() -> b.record("leader").isHeld());
        // busy with the news of b when it gets the lease itself
        a.route("leader", "lease:leader", exchange -> {
                    told.add(Told.of(exchange));
                    if (told.size() == 1) {
                        work.await(30, TimeUnit.SECONDS);
                    }
                })
                .start();
        soon().until(() -> told.size() == 1);
        b.close();
        soon().until(() -> a.record("leader").isHeld());

        shared.steal(a.leases.leaseName("leader"), THIEF, Duration.ofSeconds(1));
        soon().until(() -> a.leases
                .existing(a.leases.leaseName("leader"))
                .orElseThrow()
                .lease()
                .isEmpty());
        work.countDown();

        soon().until(() -> events(told).contains("acquired"));
        List<String> events = events(told);
        assertThat(events.subList(0, events.indexOf("acquired"))).containsOnly("holderChanged");
        assertThat(told.get(events.indexOf("acquired")).token())
                .isEqualTo(a.record("leader").token());
    }

    @Test
    void aContextWithoutLeasesLeadsAlways() throws Exception {
        LeaseNode a = node("a");
        a.leases.setEnabled(false);
        List<String> told = new CopyOnWriteArrayList<>();
        a.route("leader", "lease:leader", exchange -> told.add(header(exchange, LeaseHeaders.EVENT, String.class)))
                .start();

        soon().until(() -> told.size() == 1);
        assertThat(told).containsExactly("acquired");
    }
}
