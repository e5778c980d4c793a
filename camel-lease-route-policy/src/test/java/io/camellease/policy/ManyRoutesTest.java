/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.outlast;
import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    private static final int ROUTES = 50;
    private static final Duration WORK = Duration.ofSeconds(5);
    private static final Duration SILENT_WITHIN = Duration.ofMillis(500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final AtomicBoolean lost = new AtomicBoolean();
    private final AtomicBoolean feeding = new AtomicBoolean(true);

    @TempDir
    Path directory;

    @AfterEach
    void stopFeeding() {
        feeding.set(false);
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
                        .process(journal.work("A", () -> outlast(begun.incrementAndGet() == 1 ? WORK : Duration.ZERO)));
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
    void fiftyRoutesWithWorkInFlightAreSilentWithinHalfASecond() throws Exception {
        Node a = node();
        AtomicInteger losses = new AtomicInteger();
        a.leases.addListener(event -> {
            if (event instanceof LeaseEvent.Lost) {
                losses.incrementAndGet();
                lost.set(true);
            }
        });
        a.start();
        soon().until(() -> routes().stream().allMatch(a::holds));
        CompletableFuture<Void> feeder = CompletableFuture.runAsync(() -> feed(a));
        soon().until(() ->
                routes().stream().allMatch(route -> journal.begun("A", route).size() > 2));
        assertThat(journal.begun().size() - journal.ended().size()).isGreaterThanOrEqualTo(ROUTES);

        routes().forEach(route -> cluster.steal(cluster.lease(route), Duration.ofMinutes(1)));
        soon().until(lost::get);
        long lostAt = System.nanoTime();
        soon().until(() -> losses.get() == ROUTES);
        soon().until(() -> journal.ended().size() == journal.begun().size());
        feeding.set(false);
        feeder.join();

        Optional<Long> last = journal.begun().stream().map(Journal.Entry::at).max(Long::compare);
        assertThat(Duration.ofNanos(last.orElseThrow() - lostAt)).isLessThan(SILENT_WITHIN);
    }

    @Test
    void fiftyListsAreCutAtOnce() throws Exception {
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
