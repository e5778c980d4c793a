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
import io.camellease.testkit.Fault;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Work that is still in flight when its lease ends delays neither the consumer's silence nor anybody else. */
@CaseTest
class LongWorkTest {

    private static final Duration TTL = Duration.ofSeconds(4);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final Brake work = new Brake();

    @TempDir
    Path directory;

    @AfterEach
    void letGo() {
        work.release();
    }

    @Test
    void c80_aConsumerIsSilentWhenItsLeaseEndsAlthoughItsWorkGoesOnAndOtherLeasesAreServed() throws Exception {
        Path slow = directory.resolve("slow");
        Path quick = directory.resolve("quick");
        LeaseName lease = cluster.lease("slow");
        Feeder.drop(slow, 0, 20);
        Node a = cluster.node("A")
                .ttl(TTL)
                .files("slow", slow, work)
                .files("quick", quick, () -> {})
                .start();
        try (Feeder feeder = Feeder.every(30, quick)) {
            soon().until(() -> work.holding() == 1);
            a.assertFlows("quick");

            // only this lease is lost: the other one of the same node is renewed and served meanwhile
            cluster.lose(a, lease, Duration.ofMillis(300));
            a.assertFlows("quick");
            Node b = cluster.node("B").ttl(TTL).files("slow", slow, () -> {}).start();
            soon().until(() -> journal.ended("B").size() >= 19);
            a.assertFlows("quick");
            assertThat(journal.begun("A", "slow")).hasSize(1);
            assertThat(journal.ended("A", "slow")).isEmpty();
            b.close();
            feeder.stop();
        }
    }

    /** It deletes at its source what is done only when the exchange has ended. */
    @Test
    void aPollThatTakesNoBatchesEndsBeforeTheLeaseIsGivenBack() throws Exception {
        LeaseName lease = cluster.lease("orders");
        Node a = cluster.node("A").ttl(TTL);
        Probe probe = Probe.in(a);
        probe.afterMessage = work;
        probe.messages.add("message");
        a.routes(routes -> routes.from("probe:x")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(journal.note("A")))
                .start();
        soon().until(() -> work.holding() == 1);

        a.leases.handOver(lease);
        stays(Duration.ofMillis(700), () -> !cluster.record(lease).released());
        work.release();

        soon().until(() -> cluster.record(lease).released());
        assertThat(probe.messages).isEmpty();
    }

    @Test
    void c80_aConsumerIsSilentByTheEndOfItsLeaseWhenTheStoreIsAwayAndItsWorkGoesOn() throws Exception {
        Feeder.drop(directory, 0, 20);
        Node a = cluster.node("A").ttl(TTL).files("orders", directory, work).start();
        soon().until(() -> work.holding() == 1);
        Node b = cluster.node("B").ttl(TTL).files("orders", directory, () -> {}).start();

        a.store.standing(Fault.hang());
        soon().until(() -> !journal.begun("B").isEmpty());

        assertThat(a.events(LeaseEvent.Lost.class)).hasSize(1);
        assertThat(journal.begun("A")).hasSize(1);
        assertThat(journal.begun("B").get(0).at()).isGreaterThan(a.validUntil("orders"));
        a.heal();
        soon().until(() -> journal.ended("B").size() >= 19);
        work.release();
        soon().until(() -> !journal.ended("A").isEmpty());
        assertThat(journal.begun("A")).hasSize(1);
        assertThat(b.holds("orders")).isTrue();
    }
}
