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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On which threads exchanges go on whose operation was answered. */
class LockAnswersTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final int BUSY = 30;

    private final InMemoryLeaseStore shared = new InMemoryLeaseStore();
    private final List<LeaseNode> nodes = new ArrayList<>();

    private LeaseNode node(String label) {
        LeaseNode node = new LeaseNode(label, shared, TTL);
        nodes.add(node);
        return node.start();
    }

    @AfterEach
    void stopAll() {
        nodes.forEach(LeaseNode::close);
    }

    /** Of a lock that somebody else has, so that the answer comes later. */
    private static void acquire(LeaseNode node, String name, Exchange exchange, AsyncCallback then) throws Exception {
        LeaseProducer producer = (LeaseProducer) node.context
                .getEndpoint("lease:" + name + "?operation=acquire&ttl=60s&timeout=20s")
                .createAsyncProducer();
        producer.start();
        assertThat(producer.process(exchange, then)).isFalse();
    }

    private static Exchange exchange(LeaseNode node) {
        return node.context.getEndpoint("direct:none").createExchange();
    }

    /** A transaction belongs to its thread, which therefore waits for the store. */
    @Test
    void howeverManyExchangesBlockEachGoesOnAndCanReleaseItsLockInATransaction() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("busy");
        List<Exchange> held = new ArrayList<>();
        CountDownLatch allBusy = new CountDownLatch(BUSY);
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        Queue<Exchange> released = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < BUSY; i++) {
            String name = "n" + i;
            held.add(holder.call("lease:" + name + "?operation=acquire&ttl=60s"));
            Exchange exchange = exchange(node);
            acquire(node, name, exchange, done -> {
                threads.add(Thread.currentThread().getName());
                allBusy.countDown();
                awaitQuietly(allBusy);
                exchange.getExchangeExtension().setTransacted(true);
                released.add(node.call("lease:" + name + "?operation=release", exchange));
            });
        }

        for (int i = 0; i < BUSY; i++) {
            holder.call("lease:n" + i + "?operation=release", held.get(i));
        }

        assertThat(allBusy.await(20, TimeUnit.SECONDS)).isTrue();
        soon().until(() -> released.size() == BUSY);
        assertThat(released).allMatch(exchange -> exchange.getException() == null);
        assertThat(threads).allMatch(name -> name.contains("LeaseCallbacks"));
        assertThat(node.record("n7").released()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            boolean unused = latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whoHasALockWaitsForAnotherOneWithoutAThread() throws Exception {
        LeaseNode node = node("A");
        Exchange other = node.call("lease:stock?operation=acquire&ttl=60s");
        Exchange exchange = node.call("lease:first?operation=acquire&ttl=60s");
        CountDownLatch wentOn = new CountDownLatch(1);

        acquire(node, "stock", exchange, done -> wentOn.countDown());
        node.call("lease:stock?operation=release", other);

        assertThat(wentOn.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(exchange.getException()).isNull();
    }

    @Test
    void anAnswerThatComesAfterTheComponentWasStoppedReachesItsExchange() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("waiting");
        Exchange first = holder.call("lease:stock?operation=acquire&ttl=60s");
        CountDownLatch answered = new CountDownLatch(1);
        Exchange other = holder.call("lease:other?operation=acquire&ttl=60s");
        Exchange exchange = exchange(node);
        // its threads are at work already
        acquire(node, "other", exchange(node), done -> answered.countDown());
        holder.call("lease:other?operation=release", other);
        assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
        CountDownLatch wentOn = new CountDownLatch(1);
        acquire(node, "stock", exchange, done -> wentOn.countDown());

        node.context.getComponent("lease").stop();
        holder.call("lease:stock?operation=release", first);

        assertThat(wentOn.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getMessage().getHeader(LeaseHeaders.ACQUIRED)).isEqualTo(true);
    }

    /** The lease service goes on, and with it all that others do with locks. */
    @Test
    void aComponentThatIsRemovedLeavesLocksToWhoeverElseUsesThem() throws Exception {
        LeaseNode holder = node("holder");
        Exchange first = holder.call("lease:stock?operation=acquire&ttl=60s");
        LeaseNode node = node("waiting");
        node.context.addComponent("lock", new LeaseComponent());
        RouteBuilder.addRoutes(
                node.context, routes -> routes.from("direct:in").to("lock:stock?operation=acquire&ttl=60s&timeout=-1"));
        node.call("lease:other?operation=get");
        Future<Exchange> caller =
                node.context.createFluentProducerTemplate().to("direct:in").asyncSend();
        int looks = node.store.calls(Operation.FIND);
        soon().until(() -> node.store.calls(Operation.FIND) > looks + 1);

        assertThat(node.context.removeComponent("lease")).isNotNull();
        assertThat(caller.isDone()).isFalse();
        holder.call("lease:stock?operation=release", first);

        Exchange exchange = caller.get(20, TimeUnit.SECONDS);
        assertThat(exchange.getException()).isNull();
        assertThat(node.call("lease:third?operation=acquire&ttl=60s").getException())
                .isNull();
    }
}
