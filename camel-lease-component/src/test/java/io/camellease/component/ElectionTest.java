/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseState;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consumers that come to an election and leave it, several at the same time. */
class ElectionTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final String ALL = "lease:leader?events=acquired,lost,released";

    private final InMemoryLeaseStore shared = new InMemoryLeaseStore();
    private final List<LeaseNode> nodes = new ArrayList<>();

    private LeaseNode node(String label) {
        LeaseNode node = new LeaseNode(label, shared, TTL);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void stopAll() {
        nodes.forEach(LeaseNode::close);
    }

    /** Notes what it is told, as "event token". */
    private static LeaseNode listen(LeaseNode node, String id, List<String> told) throws Exception {
        // Camel allows one consumer of a URI only
        String uri = ALL + ",lost".repeat(node.context.getRouteDefinitions().size());
        return node.route(id, uri, exchange -> told.add(text(exchange)));
    }

    private static String text(Exchange exchange) {
        return exchange.getMessage().getHeader(LeaseHeaders.EVENT) + " "
                + exchange.getMessage().getHeader(LeaseHeaders.TOKEN);
    }

    private static LeaseElector elector(LeaseNode node) {
        return node.leases.existing(node.leases.leaseName("leader")).orElseThrow();
    }

    /** As a delegate of another consumer is. */
    @Test
    void aStandbysConsumerThatIsStoppedApartFromItsRouteIsForgotten() throws Exception {
        LeaseNode a = node("a");
        List<String> told = new CopyOnWriteArrayList<>();
        listen(a, "one", told).start();
        soon().until(() -> told.size() == 1);
        LeaseNode b = node("b");
        listen(b, "one", new CopyOnWriteArrayList<>()).start();
        soon().until(() -> elector(b).state() == LeaseState.WAITING);

        ServiceHelper.stopService(b.context.getRoute("one").getConsumer());

        soon().until(() -> b.leases.existing(b.leases.leaseName("leader")).isEmpty());
    }

    @Test
    void severalConsumersOfAContextThatStopsGiveTheLeaseBack() throws Exception {
        LeaseNode a = node("a");
        List<String> one = new CopyOnWriteArrayList<>();
        List<String> two = new CopyOnWriteArrayList<>();
        listen(a, "one", one);
        listen(a, "two", two).start();
        soon().until(() -> one.size() == 1 && two.size() == 1);
        long token = a.record("leader").token();

        a.context.suspend();

        soon().until(() -> a.record("leader").released());
        assertThat(one).containsExactly("acquired " + token, "released " + token);
        assertThat(two).isEqualTo(one);
        a.context.resume();
        soon().until(() -> one.size() == 3 && two.size() == 3);
        long next = a.record("leader").token();

        a.context.stop();

        assertThat(a.record("leader").released()).isTrue();
        assertThat(one.subList(2, one.size())).containsExactly("acquired " + next, "released " + next);
        assertThat(two).isEqualTo(one);
    }

    /** The exchange of the first outlasts the stop of its route. */
    @Test
    void whoComesWhileTheLeaseIsGivenBackIsToldOfTheNextTerm() throws Exception {
        LeaseNode a = node("a");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        a.route("first", "lease:leader?events=acquired", exchange -> {
                    begun.countDown();
                    work.await(20, TimeUnit.SECONDS);
                })
                .start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        long token = a.record("leader").token();
        a.context.getRouteController().stopRoute("first", 1, TimeUnit.SECONDS);
        assertThat(elector(a).state()).isEqualTo(LeaseState.DRAINING);
        List<String> told = new CopyOnWriteArrayList<>();

        listen(a, "second", told);
        assertThat(elector(a).state()).isEqualTo(LeaseState.DRAINING);
        work.countDown();

        soon().until(() -> !told.isEmpty());
        long next = a.record("leader").token();
        assertThat(next).isGreaterThan(token);
        assertThat(told).containsExactly("acquired " + next);
    }

    @Test
    void whoeverJoinsWhileTermsBeginAndEndIsToldOnceOfEach() throws Exception {
        LeaseNode a = node("a");
        int consumers = 20;
        Map<String, List<String>> told = new ConcurrentHashMap<>();
        List<LeaseConsumer> late = new ArrayList<>();
        listen(a, "first", told.computeIfAbsent("first", id -> new CopyOnWriteArrayList<>()))
                .start();
        soon().until(() -> told.get("first").size() == 1);
        for (int i = 0; i < consumers; i++) {
            List<String> events = new CopyOnWriteArrayList<>();
            told.put("late" + i, events);
            late.add((LeaseConsumer) a.context.getEndpoint(ALL).createConsumer(exchange -> events.add(text(exchange))));
        }

        shared.steal(a.leases.leaseName("leader"), HolderId.unique("thief"), Duration.ofMillis(1));
        for (LeaseConsumer consumer : late) {
            consumer.start();
        }

        soon().until(() -> told.values().stream()
                .allMatch(events ->
                        events.contains("acquired " + a.record("leader").token())));
        late.forEach(LeaseConsumer::stop);
        told.forEach((id, events) -> assertThat(events).as(id).doesNotHaveDuplicates());
    }

    /** The first attempt fails, as somebody else has made an elector; the second must make this node a candidate. */
    @Test
    void aConsumerWhoseStartFailedIsACandidateAfterTheNextStart() throws Exception {
        LeaseNode a = node("a").start();
        a.call("lease:other?operation=get");
        LeaseElector others = a.leases.elector(a.leases.leaseName("leader"), event -> {});
        List<String> told = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> listen(a, "leader", told))
                .hasStackTraceContaining("lease 'shop/leader'")
                .hasStackTraceContaining("can watch that of a route only, or needs a name of its own");
        a.leases.remove(others);

        a.context.getRouteController().startRoute("leader");

        soon().until(() -> told.size() == 1);
    }

    @Test
    void aLeaseOfAnotherComponentInstanceIsNotWatchedInVain() throws Exception {
        LeaseNode a = node("a");
        a.context.addComponent("other", new LeaseComponent());
        a.route("one", "other:leader", exchange -> {}).start();
        soon().until(() -> a.record("leader").isHeld());

        assertThatThrownBy(() -> listen(a, "two", new ArrayList<>()))
                .hasStackTraceContaining("is that of a cluster namespace, or of another instance of the component");
    }

    @Test
    void aStopThatIsCalledOffLeavesTheConsumerInTheElection() throws Exception {
        LeaseNode a = node("a");
        a.context.getShutdownStrategy().setTimeout(2);
        CountDownLatch work = new CountDownLatch(1);
        List<String> told = new CopyOnWriteArrayList<>();
        a.route("leader", ALL, exchange -> {
                    told.add(text(exchange));
                    work.await(20, TimeUnit.SECONDS);
                })
                .start();
        soon().until(() -> told.size() == 1);
        long token = a.record("leader").token();

        assertThat(a.context.getRouteController().stopRoute("leader", 1, TimeUnit.SECONDS, true))
                .isFalse();
        work.countDown();

        soon().until(() -> told.size() == 3);
        long next = a.record("leader").token();
        assertThat(told).containsExactly("acquired " + token, "released " + token, "acquired " + next);
        assertThat(next).isGreaterThan(token);
    }

    /** A handler of exceptions that throws is the route's own defect. */
    @Test
    void aHandlerThatThrowsKeepsTheConsumerFromNothing() throws Exception {
        LeaseNode a = node("a");
        List<String> told = new CopyOnWriteArrayList<>();
        a.context.getRegistry().bind("throwing", new Throwing());
        RouteBuilder.addRoutes(a.context, routes -> routes.from(ALL + "&exceptionHandler=#throwing")
                .routeId("leader")
                .process(exchange -> {
                    told.add(text(exchange));
                    throw new IllegalStateException("broken");
                }));
        a.start();
        soon().until(() -> told.size() == 1);

        a.context.getRouteController().stopRoute("leader");

        assertThat(told).hasSize(2);
        soon().until(() -> a.record("leader").released());
    }

    private static final class Throwing implements ExceptionHandler {
        @Override
        public void handleException(Throwable exception) {
            throw new IllegalStateException("this too");
        }

        @Override
        public void handleException(String message, Throwable exception) {
            throw new IllegalStateException("this too");
        }

        @Override
        public void handleException(String message, Exchange exchange, Throwable exception) {
            throw new IllegalStateException("this too");
        }
    }

    /** Nothing more is told of the old election. */
    @Test
    void aRouteThatIsStartedAgainAfterTheLeaseServiceWasTakesPartAgain() throws Exception {
        LeaseNode a = node("a");
        List<String> told = new CopyOnWriteArrayList<>();
        listen(a, "leader", told).start();
        soon().until(() -> told.size() == 1);
        a.leases.stop();
        a.leases.start();

        assertThat(a.context.getRouteController().stopRoute("leader", 10, TimeUnit.SECONDS, true))
                .isTrue();
        a.context.getRouteController().startRoute("leader");

        soon().until(() -> told.size() == 2);
        assertThat(told.get(1)).isEqualTo("acquired " + a.record("leader").token());
    }
}
