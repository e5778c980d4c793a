/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.outlast;
import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.camel.ProducerTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Routes that are lost together fall silent together: none waits for the work of another. */
@CaseTest
class ManyRoutesTest {

    private static final int ROUTES = 100;
    private static final Duration SILENT_WITHIN = Duration.ofMillis(500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    /** Holds one exchange of each route, for longer than the test takes. */
    private final Brake work = new Brake();

    private final AtomicBoolean feeding = new AtomicBoolean(true);

    @TempDir
    Path directory;

    @AfterEach
    void stopFeeding() {
        feeding.set(false);
        work.release();
    }

    private static List<String> routes() {
        return IntStream.range(0, ROUTES).mapToObj(i -> "r" + i).toList();
    }

    /** Each route has two consumer threads: one is at work for long, the other takes a message every now and then. */
    private Node node() throws Exception {
        return cluster.node("A").routes(builder -> {
            for (String route : routes()) {
                AtomicInteger begun = new AtomicInteger();
                builder.from("seda:" + route + "?concurrentConsumers=2&pollTimeout=100")
                        .routeId(route)
                        .routePolicyRef("lease")
                        .process(journal.work("A", () -> {
                            if (begun.incrementAndGet() == 1) {
                                work.run();
                            }
                        }));
            }
        });
    }

    private void feed(Node node) {
        ProducerTemplate template = node.context.createProducerTemplate();
        while (feeding.get()) {
            routes().forEach(route -> template.sendBody("seda:" + route, "m"));
            outlast(Duration.ofMillis(50));
        }
    }

    @Test
    void aHundredRoutesWithLongWorkInFlightAreSilentWithinHalfASecond() throws Exception {
        Node a = node();
        Map<LeaseName, Long> lostAt = new ConcurrentHashMap<>();
        a.leases.addListener(event -> {
            if (event instanceof LeaseEvent.Lost) {
                lostAt.put(event.name(), System.nanoTime());
            }
        });
        a.start();
        soon().until(() -> routes().stream().allMatch(a::holds));
        CompletableFuture<Void> feeder = CompletableFuture.runAsync(() -> feed(a));
        soon().until(() -> work.holding() == ROUTES
                && routes().stream().allMatch(route -> journal.begun("A", route).size() > 2));

        routes().forEach(route -> cluster.steal(cluster.lease(route), Duration.ofMinutes(1)));
        soon().until(() -> lostAt.size() == ROUTES);
        outlast(SILENT_WITHIN.multipliedBy(3));
        assertThat(work.holding()).isEqualTo(ROUTES);
        feeding.set(false);
        feeder.join();

        long latest = journal.begun().stream()
                .mapToLong(entry -> entry.at() - lostAt.get(cluster.lease(entry.route())))
                .max()
                .orElseThrow();
        Duration late = a.leases.worstTimerLateness();
        System.out.printf(
                "[lease figures] %d leases lost at once, each with work in flight: last begin %d ms after the loss of its"
                        + " lease, timer at worst %d ms late%n",
                ROUTES, latest / 1_000_000, late.toMillis());
        assertThat(Duration.ofNanos(latest)).isLessThan(SILENT_WITHIN);
        assertThat(late).isLessThan(SILENT_WITHIN);
    }

    @Test
    void aHundredListsAreCutAtOnce() throws Exception {
        Node a = cluster.node("A");
        Brake brake = new Brake();
        for (String route : routes()) {
            Feeder.drop(directory.resolve(route), 0, 5);
            a.files(route, directory.resolve(route), brake);
        }
        a.start();
        soon().until(() -> brake.holding() == ROUTES);

        routes().forEach(route -> cluster.steal(cluster.lease(route), Duration.ofMinutes(1)));
        soon().until(() -> a.events(LeaseEvent.Lost.class).size() == ROUTES);
        brake.release();
        soon().until(() -> journal.ended().size() == ROUTES);
        routes().forEach(route -> soon().until(() -> a.status(route).isStopped()));

        assertThat(journal.begun()).hasSize(ROUTES);
        assertThat(a.refused).hasValue(0);
    }
}
