/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.ServiceStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that stops begins nothing more, and gives its lease away when the last work under it has ended, not before. */
@CaseTest
class ShutdownTest {

    private static final Duration TTL = Duration.ofSeconds(2);

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

    private Node holderAtWork(Runnable work) throws Exception {
        Feeder.drop(directory, 0, 5);
        Node a = cluster.node("A").ttl(TTL).files("orders", directory, work).start();
        soon().until(() -> journal.begun("A").size() == 1);
        cluster.node("B").ttl(TTL).files("orders", directory, () -> {}).start();
        return a;
    }

    private static CompletableFuture<Void> close(Node node) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(node::close);
        soon().until(() -> node.context.getStatus() == ServiceStatus.Stopping);
        return closing;
    }

    @Test
    void c74_theLeaseIsRenewedUntilTheWorkInFlightHasEndedAndThenReleased() throws Exception {
        Node a = holderAtWork(brake);

        CompletableFuture<Void> closing = close(a);
        stays(
                TTL.multipliedBy(4),
                () -> journal.begun().size() == 1 && cluster.record(lease).isHeld());
        brake.release();
        closing.get(20, TimeUnit.SECONDS);
        soon().until(() -> journal.ended("B").size() == 4);

        assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
        assertThat(journal.ended("A")).hasSize(1);
        assertThat(journal.begun("B")).allSatisfy(entry -> assertThat(entry.at())
                .isGreaterThan(journal.ended("A").get(0).at()));
        journal.assertOneAfterTheOther("A", "B");
        journal.assertEachOnce(5);
    }

    @Test
    void c74_aForcedShutdownGivesTheLeaseAwayNoSoonerThanItIsForced() throws Exception {
        Node a = holderAtWork(brake);

        long forcedAt = forceShutdown(a);
        soon().until(() -> journal.ended("B").size() == 5);

        assertThat(journal.begun("A")).hasSize(1);
        assertThat(journal.ended("A")).isEmpty();
        assertThat(journal.begun("B").get(0).at()).isGreaterThan(forcedAt);
        journal.assertOneAfterTheOther("A", "B");
    }

    @Test
    void c74_aForcedShutdownThatCannotEndTheWorkLeavesTheLeaseToExpire() throws Exception {
        Node a = holderAtWork(() -> Waiting.outlast(Duration.ofSeconds(7)));

        long forcedAt = forceShutdown(a);
        long closedAt = System.nanoTime();
        soon().until(() -> !journal.begun("B").isEmpty());

        assertThat(a.events(LeaseEvent.Released.class)).isEmpty();
        assertThat(journal.begun("A")).hasSize(1);
        assertThat(journal.ended("A")).isEmpty();
        assertThat(closedAt).isGreaterThan(forcedAt);
        assertThat(journal.begun("B").get(0).at() - closedAt).isGreaterThan(0);
        journal.assertOneAfterTheOther("A", "B");
    }

    /** Stops a node that is at work, and says when at the earliest the work was cut short. */
    private static long forceShutdown(Node node) throws Exception {
        int seconds = 3;
        node.context.getShutdownStrategy().setTimeout(seconds);
        long before = System.nanoTime();
        close(node).get(20, TimeUnit.SECONDS);
        return before + TimeUnit.SECONDS.toNanos(seconds);
    }
}
