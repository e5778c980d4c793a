/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges that wait for a lock in a route that is stopped while its context goes on. */
class StoppedRouteTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final String WAIT = "lease:stock?operation=acquire&ttl=60s&timeout=-1";

    /** Camel looks once a second whether the exchanges of a route have ended; without help it gives up after 20 s here. */
    private static final Duration SOON = Duration.ofSeconds(10);

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

    /** Somebody else has the lock. */
    private Exchange taken(LeaseNode holder) {
        return holder.start().call("lease:stock?operation=acquire&ttl=60s");
    }

    private static Future<Exchange> send(LeaseNode node, String uri) {
        return node.context.createFluentProducerTemplate().to(uri).asyncSend();
    }

    private static void awaitLooks(LeaseNode node) {
        int before = node.store.calls(Operation.FIND);
        soon().until(() -> node.store.calls(Operation.FIND) > before + 1);
    }

    private static CompletableFuture<Duration> stopping(LeaseNode node, String routeId) {
        long begin = System.nanoTime();
        return CompletableFuture.supplyAsync(() -> {
            try {
                node.context.getRouteController().stopRoute(routeId);
                return Duration.ofNanos(System.nanoTime() - begin);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    private static void assertRefused(Future<Exchange> caller, String routeId) throws Exception {
        assertThat(caller.get(SOON.toSeconds(), TimeUnit.SECONDS).getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasMessageContainingAll("shop/stock", "route '" + routeId + "' is about to stop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outer", "inner"})
    void stoppingARouteEndsTheWaitsOfItsExchanges(String stopped) throws Exception {
        taken(node("holder"));
        LeaseNode node = node("waiting").start();
        RouteBuilder.addRoutes(node.context, routes -> {
            routes.from("direct:in").routeId("outer").to("direct:inner");
            routes.from("direct:inner").routeId("inner").to(WAIT);
        });
        Future<Exchange> caller = send(node, "direct:in");
        awaitLooks(node);
        assertThat(caller.isDone()).isFalse();

        CompletableFuture<Duration> stop = stopping(node, stopped);

        assertRefused(caller, stopped);
        assertThat(stop.get(20, TimeUnit.SECONDS)).isLessThan(SOON);
    }

    @Test
    void otherRoutesGoOnWaiting() throws Exception {
        LeaseNode holder = node("holder");
        Exchange first = taken(holder);
        LeaseNode node = node("waiting").start();
        RouteBuilder.addRoutes(node.context, routes -> {
            routes.from("direct:one").routeId("one").to(WAIT);
            routes.from("direct:two").routeId("two").to(WAIT);
        });
        Future<Exchange> one = send(node, "direct:one");
        Future<Exchange> two = send(node, "direct:two");
        awaitLooks(node);

        stopping(node, "one").get(20, TimeUnit.SECONDS);
        assertRefused(one, "one");
        assertThat(two.isDone()).isFalse();
        holder.call("lease:stock?operation=release", first);

        assertThat(two.get(20, TimeUnit.SECONDS).getMessage().getHeader(LeaseHeaders.ACQUIRED))
                .isEqualTo(true);
    }

    @Test
    void whatComesToTheLockWhileItsRouteStopsDoesNotWait() throws Exception {
        taken(node("holder"));
        LeaseNode node = node("waiting").start();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                .routeId("slow")
                .process(exchange -> {
                    begun.countDown();
                    work.await(20, TimeUnit.SECONDS);
                })
                .to(WAIT));
        Future<Exchange> caller = send(node, "direct:in");
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        RouteStop stop = node.context.getRoute("slow").getServices().stream()
                .filter(RouteStop.class::isInstance)
                .map(RouteStop.class::cast)
                .findFirst()
                .orElseThrow();

        CompletableFuture<Duration> stopped = stopping(node, "slow");
        soon().until(stop::isRefusing);
        work.countDown();

        assertRefused(caller, "slow");
        assertThat(stopped.get(20, TimeUnit.SECONDS)).isLessThan(SOON);
    }

    @Test
    void aRouteThatIsStartedAgainWaitsAgain() throws Exception {
        LeaseNode holder = node("holder");
        Exchange first = taken(holder);
        LeaseNode node = node("waiting").start();
        RouteBuilder.addRoutes(
                node.context,
                routes -> routes.from("direct:locked").routeId("locked").to(WAIT));
        stopping(node, "locked").get(20, TimeUnit.SECONDS);
        node.context.getRouteController().startRoute("locked");

        Future<Exchange> caller = send(node, "direct:locked");
        awaitLooks(node);
        assertThat(caller.isDone()).isFalse();
        holder.call("lease:stock?operation=release", first);

        assertThat(caller.get(20, TimeUnit.SECONDS).getMessage().getHeader(LeaseHeaders.ACQUIRED))
                .isEqualTo(true);
    }

    @Test
    void aSuspendedRouteFinishesWhatItHasBegun() throws Exception {
        LeaseNode holder = node("holder");
        Exchange first = taken(holder);
        LeaseNode node = node("waiting").start();
        RouteBuilder.addRoutes(
                node.context, routes -> routes.from("direct:in").routeId("held").to(WAIT));
        Future<Exchange> caller = send(node, "direct:in");
        awaitLooks(node);

        CompletableFuture<Void> suspending = CompletableFuture.runAsync(() -> {
            try {
                node.context.getRouteController().suspendRoute("held");
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        awaitLooks(node);
        assertThat(caller.isDone()).isFalse();
        holder.call("lease:stock?operation=release", first);

        assertThat(caller.get(20, TimeUnit.SECONDS).getMessage().getHeader(LeaseHeaders.ACQUIRED))
                .isEqualTo(true);
        suspending.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aLockThatIsNamedAtRunTimeIsNoException() throws Exception {
        taken(node("holder"));
        LeaseNode node = node("waiting");
        RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                .routeId("dynamic")
                .toD("lease:${body}?operation=acquire&ttl=60s&timeout=-1"));
        node.start();
        Future<Exchange> caller = node.context
                .createFluentProducerTemplate()
                .to("direct:in")
                .withBody("stock")
                .asyncSend();
        awaitLooks(node);

        CompletableFuture<Duration> stop = stopping(node, "dynamic");

        assertRefused(caller, "dynamic");
        assertThat(stop.get(20, TimeUnit.SECONDS)).isLessThan(SOON);
    }

    @Test
    void anExchangeInATransactionLeavesItsThreadToo() throws Exception {
        taken(node("holder"));
        LeaseNode node = node("waiting").start();
        RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                .routeId("transacted")
                .process(exchange -> exchange.getExchangeExtension().setTransacted(true))
                .to(WAIT));
        Future<Exchange> caller = send(node, "direct:in");
        awaitLooks(node);

        CompletableFuture<Duration> stop = stopping(node, "transacted");

        assertRefused(caller, "transacted");
        assertThat(stop.get(20, TimeUnit.SECONDS)).isLessThan(SOON);
    }
}
