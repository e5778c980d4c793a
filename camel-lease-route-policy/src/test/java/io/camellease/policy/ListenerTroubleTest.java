/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A listener of the application that throws, or blocks. */
@CaseTest
class ListenerTroubleTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final Brake brake = new Brake();

    @TempDir
    Path directory;

    @AfterEach
    void letGo() {
        brake.release();
    }

    private Node node(String label) throws Exception {
        Node node = cluster.node(label);
        for (String route : List.of("r1", "r2")) {
            node.files(route, directory.resolve(route), () -> {});
        }
        return node;
    }

    @Test
    void aListenerThatBlocksKeepsNoRouteFromBeingStartedOrHeldAndTheContextFromStopping() throws Exception {
        try (Feeder one = Feeder.every(20, directory.resolve("r1"));
                Feeder two = Feeder.every(20, directory.resolve("r2"))) {
            Node a = node("A");
            a.leases.addListener(event -> brake.run());
            a.start();
            a.assertFlows("r1");
            a.assertFlows("r2");
            assertThat(brake.holding()).isEqualTo(1);

            cluster.steal(cluster.lease("r1"), Duration.ofSeconds(3));
            soon().until(() -> !a.holds("r1"));
            a.assertSilent("r1");
            a.assertFlows("r1");
            a.assertFlows("r2");
            Node b = node("B").start();
            long before = System.nanoTime();
            a.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            b.assertFlows("r1");
            journal.assertNoOverlap();
        }
    }

    @Test
    void aListenerThatThrowsHarmsNeitherTheRoutesNorTheOtherListeners() throws Exception {
        List<LeaseEvent> heard = new CopyOnWriteArrayList<>();
        try (Feeder one = Feeder.every(20, directory.resolve("r1"));
                Feeder two = Feeder.every(20, directory.resolve("r2"))) {
            Node a = cluster.node("A");
            a.leases.addListener(event -> {
                throw new StackOverflowError("thrown on purpose");
            });
            a.leases.addListener(heard::add);
            for (String route : List.of("r1", "r2")) {
                a.files(route, directory.resolve(route), () -> {});
            }
            a.start();

            a.assertFlows("r1");
            a.assertFlows("r2");
            soon().until(() ->
                    heard.stream().filter(LeaseEvent.Granted.class::isInstance).count() == 2);
        }
    }
}
