/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Route;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.RoutePolicySupport;
import org.apache.camel.support.SynchronizationAdapter;
import org.apache.camel.support.service.ServiceSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Work that a leased route has handed to other threads is work under its lease, as long as Camel hands over the exchange's
 * completions with it or counts it in the processor that did so. An aggregation in memory and a wire tap into a queue are not
 * seen.
 */
@CaseTest
class HandedOverWorkTest {

    private static final Duration TTL = Duration.ofMillis(1500);

    /** How the route hands its work over. */
    enum By {
        SEDA {
            @Override
            void handOver(RouteBuilder routes, RouteDefinition route, Processor work) {
                route.to("seda:work");
                routes.from("seda:work").routeId("work").process(work);
            }
        },
        THREADS {
            @Override
            void handOver(RouteBuilder routes, RouteDefinition route, Processor work) {
                route.threads(2).process(work);
            }
        },
        ASYNC_DELAY {
            @Override
            void handOver(RouteBuilder routes, RouteDefinition route, Processor work) {
                route.delay(20).asyncDelayed().process(work);
            }
        },
        WIRE_TAP {
            @Override
            void handOver(RouteBuilder routes, RouteDefinition route, Processor work) {
                route.wireTap("direct:work");
                routes.from("direct:work").routeId("work").process(work);
            }
        },
        SEDA_TWICE {
            @Override
            void handOver(RouteBuilder routes, RouteDefinition route, Processor work) {
                route.to("seda:first");
                routes.from("seda:first").routeId("first").to("seda:work");
                routes.from("seda:work").routeId("work").process(work);
            }
        };

        abstract void handOver(RouteBuilder routes, RouteDefinition route, Processor work);
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final Brake brake = new Brake();

    @TempDir
    Path directory;

    @AfterEach
    void letGo() {
        brake.release();
    }

    private Node node(String label, By by, Runnable work) throws Exception {
        return cluster.node(label).ttl(TTL).routes(routes -> {
            RouteDefinition route = routes.from(
                            "file:" + directory + "?initialDelay=0&delay=20&delete=true&maxMessagesPerPoll=1")
                    .routeId("orders")
                    .routePolicyRef("lease");
            by.handOver(routes, route, journal.work(label, work));
        });
    }

    private Node atWork(By by) throws Exception {
        Feeder.drop(directory, 0, 1);
        Node a = node("A", by, brake).start();
        soon().until(() -> brake.holding() == 1);
        return a;
    }

    @ParameterizedTest
    @EnumSource
    void aRouteThatIsStoppedByHandKeepsItsLeaseUntilTheWorkHasEnded(By by) throws Exception {
        Node a = atWork(by);
        node("B", by, () -> {}).start();

        // by force, but for threads of the route: then Camel was seen to roll back the file that was worked on
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> stopRoute(a, by == By.THREADS ? 30 : 1));
        stays(
                TTL.multipliedBy(2),
                () -> cluster.record(lease).isHeld() && journal.begun("B").isEmpty());
        brake.release();
        stopping.get(20, TimeUnit.SECONDS);
        Feeder.drop(directory, 1, 2);
        soon().until(() -> !journal.ended("B").isEmpty());

        journal.assertOneAfterTheOther("A", "B");
        assertThat(journal.begun("B").get(0).at())
                .isGreaterThan(journal.ended("A").get(0).at());
        journal.assertEachOnce(2);
    }

    private static void stopRoute(Node node, int seconds) {
        try {
            node.context.getRouteController().stopRoute("orders", seconds, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatLostItsLeaseIsNoCandidateUntilTheWorkHasEnded(By by) throws Exception {
        Node a = atWork(by);

        cluster.lose(a, lease, Duration.ofMillis(100));
        stays(TTL, () -> a.elector(lease).state() == LeaseState.WAITING);
        brake.release();
        Feeder.drop(directory, 1, 2);
        soon().until(() -> journal.ended("A").size() == 2);

        assertThat(Journal.tokens(journal.begun("A"))).hasSize(2).isSorted();
        journal.assertEachOnce(2);
    }

    @ParameterizedTest
    @EnumSource
    void aContextThatStopsKeepsTheLeaseUntilTheWorkHasEnded(By by) throws Exception {
        Node a = atWork(by);
        node("B", by, () -> {}).start();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(a::close);
        stays(
                TTL.multipliedBy(2),
                () -> cluster.record(lease).isHeld() && journal.begun("B").isEmpty());
        brake.release();
        closing.get(20, TimeUnit.SECONDS);
        Feeder.drop(directory, 1, 2);
        soon().until(() -> !journal.ended("B").isEmpty());

        journal.assertOneAfterTheOther("A", "B");
        assertThat(journal.begun("B").get(0).at())
                .isGreaterThan(journal.ended("A").get(0).at());
        journal.assertEachOnce(2);
    }

    /** Does to the source what a file consumer does at the end of an exchange, and takes its time. */
    private final class SlowSource extends RoutePolicySupport {
        @Override
        public void onExchangeBegin(Route route, Exchange exchange) {
            exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
                @Override
                public void onDone(Exchange done) {
                    brake.run();
                }
            });
        }
    }

    @Test
    void theLeaseIsKeptUntilTheSourceHasBeenToldThatTheWorkIsDone() throws Exception {
        Feeder.drop(directory, 0, 1);
        Node a = cluster.node("A").ttl(TTL).routes(routes -> routes.from(
                        "file:" + directory + "?initialDelay=0&delay=20&delete=true&maxMessagesPerPoll=1")
                .routeId("orders")
                .routePolicy(new SlowSource(), new LeaseRoutePolicy())
                .threads(2)
                .process(journal.note("A")));
        a.start();
        soon().until(() -> brake.holding() == 1);

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> stopRoute(a, 1));
        stays(TTL.multipliedBy(2), () -> cluster.record(lease).isHeld());
        brake.release();
        stopping.get(20, TimeUnit.SECONDS);
        soon().until(() -> cluster.record(lease).released());

        assertThat(directory.toFile().list()).isEmpty();
    }

    /** A step of the route that fails when it is asked what it has pending, for some time. */
    private static final class Moody extends ServiceSupport implements Processor, ShutdownAware {

        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public int getPendingExchangesSize() {
            if (asked.incrementAndGet() <= 5) {
                throw new IllegalStateException("not now");
            }
            return 0;
        }

        @Override
        public boolean deferShutdown(ShutdownRunningTask shutdownRunningTask) {
            return true;
        }

        @Override
        public void prepareShutdown(boolean suspendOnly, boolean forced) {}

        @Override
        public void process(Exchange exchange) {}
    }

    @Test
    void aStepThatCannotSayWhatIsPendingIsAskedAgain() throws Exception {
        Moody moody = new Moody();
        Node a = cluster.node("A").ttl(TTL).routes(routes -> routes.from("timer:t?period=20&delay=0")
                .routeId("orders")
                .routePolicyRef("lease")
                .process(moody)
                .process(journal.note("A")));
        a.start();
        a.assertFlows("orders");

        cluster.lose(a, lease, Duration.ofMillis(1));

        a.assertFlows("orders");
        assertThat(moody.asked).hasValueGreaterThan(5);
    }

    /** Its threads wait at the queue, and take one more message each although their consumer is held. */
    @Test
    void nothingThatWasPutIntoAQueueIsLostWhenTheLeaseIsGivenBack() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Node a = cluster.node("A").routes(routes -> {
            routes.from("timer:feed?delay=0&period=5")
                    .routeId("feed")
                    .process(exchange -> exchange.getMessage().setBody(sent.incrementAndGet()))
                    .to("seda:orders");
            routes.from("seda:orders?concurrentConsumers=3")
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .process(exchange -> done.incrementAndGet());
        });
        a.start();
        for (int round = 0; round < 3; round++) {
            int before = done.get();
            soon().until(() -> a.holds("orders") && done.get() > before + 10);
            assertThat(a.leases.release(cluster.lease("orders"))).isTrue();
            soon().until(() -> !a.holds("orders"));
        }
        soon().until(() -> a.holds("orders"));
        a.context.getRouteController().stopRoute("feed");

        soon().until(() -> done.get() == sent.get());
        assertThat(a.refused).hasValue(0);
    }
}
