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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Many callers that want the same lock. */
@Isolated("counts the threads of the process")
class LockWaitersTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final int CALLERS = 50;

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

    private static long threads(String label) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("(" + label + ")")
                        || thread.getName().startsWith("lease-lock"))
                .count();
    }

    @Test
    void callersOfOneProcessAreServedInOrderAndNeedNoThreads() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("waiting");
        List<Integer> served = new CopyOnWriteArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                .to("lease:stock?operation=acquire&ttl=60s&timeout=60s")
                .process(exchange -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    served.add(exchange.getMessage().getBody(Integer.class));
                    inside.decrementAndGet();
                })
                .to("lease:stock?operation=release"));
        Exchange first = holder.call("lease:stock?operation=acquire&ttl=60s");

        List<Future<Exchange>> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> node.context
                        .createFluentProducerTemplate()
                        .to("direct:in")
                        .withBody(number)
                        .asyncSend())
                .toList();
        soon().until(() -> node.store.calls(Operation.FIND) > 2);
        int looks = node.store.calls(Operation.FIND);
        soon().until(() -> node.store.calls(Operation.FIND) > looks);
        long threads = threads("nobody");
        int claims = node.store.calls(Operation.CLAIM);
        holder.call("lease:stock?operation=release", first);

        for (Future<Exchange> caller : callers) {
            assertThat(caller.get(60, TimeUnit.SECONDS).getException()).isNull();
        }
        assertThat(served).hasSize(CALLERS).doesNotHaveDuplicates();
        assertThat(most).hasValue(1);
        assertThat(claims).isZero();
        assertThat(threads).isLessThanOrEqualTo(8);
    }

    @Test
    void callersAreServedFirstComeFirstServedUntilTheirTimeIsOver() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("waiting");
        Exchange first = holder.call("lease:stock?operation=acquire&ttl=60s");
        LeaseProducer patient = producer(node, "lease:stock?operation=acquire&ttl=60s&timeout=50s");
        LeaseProducer hasty = producer(node, "lease:stock?operation=acquire&ttl=60s&timeout=700ms");
        List<Integer> answered = new CopyOnWriteArrayList<>();
        List<Integer> granted = new CopyOnWriteArrayList<>();
        long before = threads("waiting");

        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            Exchange exchange = node.context.getEndpoint("direct:none").createExchange();
            boolean sync = (number % 2 == 0 ? patient : hasty).process(exchange, done -> {
                answered.add(number);
                if (exchange.getException() == null) {
                    granted.add(number);
                    node.call("lease:stock?operation=release", exchange);
                }
            });
            assertThat(sync).isFalse();
        }

        soon().until(() -> answered.size() == CALLERS / 2);
        assertThat(answered).allMatch(number -> number % 2 == 1);
        // what waits needs no thread; those that were answered had one each at most
        assertThat(threads("waiting") - before).isLessThanOrEqualTo(4 + CALLERS / 2);
        holder.call("lease:stock?operation=release", first);
        soon().until(() -> granted.size() == CALLERS / 2);
        assertThat(granted)
                .containsExactlyElementsOf(IntStream.range(0, CALLERS)
                        .filter(n -> n % 2 == 0)
                        .boxed()
                        .toList());
        assertThat(threads("waiting") - before).isLessThanOrEqualTo(4 + CALLERS / 2);
    }

    private static LeaseProducer producer(LeaseNode node, String uri) throws Exception {
        LeaseProducer producer = (LeaseProducer) node.context.getEndpoint(uri).createAsyncProducer();
        producer.start();
        return producer;
    }

    @Test
    void fortyNamesAreLookedForInOneCall() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("waiting");
        int names = 40;
        for (int i = 0; i < names; i++) {
            holder.call("lease:n" + i + "?operation=acquire&ttl=60s");
        }
        for (int i = 0; i < names; i++) {
            LeaseProducer producer = producer(node, "lease:n" + i + "?operation=acquire&ttl=60s&timeout=-1");
            producer.process(node.context.getEndpoint("direct:none").createExchange(), done -> {});
        }
        // after all of them, each of which may have been looked for at once
        node.call("lease:other?operation=get");
        int before = node.store.calls(Operation.FIND);
        long begin = System.nanoTime();

        soon().until(() -> node.store.calls(Operation.FIND) > before + 5);

        // looks come at claim intervals, 300 ms, less up to a half, not 40 times as often
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(400));
        assertThat(node.store.calls(Operation.CLAIM)).isZero();
    }

    @Test
    void whoWaitsWhenTheContextStopsIsAnsweredAtOnce() throws Exception {
        LeaseNode holder = node("holder");
        LeaseNode node = node("waiting");
        holder.call("lease:stock?operation=acquire&ttl=60s");
        RouteBuilder.addRoutes(node.context, routes -> routes.from("direct:in")
                .to("lease:stock?operation=acquire&ttl=60s&timeout=-1"));
        Future<Exchange> caller =
                node.context.createFluentProducerTemplate().to("direct:in").asyncSend();
        soon().until(() -> node.store.calls(Operation.FIND) > 1);

        long begin = System.nanoTime();
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(node.context::stop);

        Exchange exchange = caller.get(10, TimeUnit.SECONDS);
        assertThat(exchange.getException())
                .isInstanceOf(LeaseNotAcquiredException.class)
                .hasMessageContaining("about to stop");
        stopping.get(20, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    }
}
