/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the tokens of one lease are over everything that can happen to it. */
@CaseTest
class TokenHistoryTest {

    /** How often; 1000 takes some minutes. The store's own thousand grants are in its module. */
    private static final int ROUNDS = Integer.getInteger("lease.test.token.rounds", 20);

    private static final Duration TTL = Duration.ofSeconds(1);

    private enum Change {
        GIVE_AWAY,
        STEAL,
        EXPIRE,
        RESTART,
        REMOVE_ROUTE
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");

    @TempDir
    Path directory;

    private Node node(String label) throws Exception {
        return cluster.node(label).ttl(TTL).files("orders", directory, () -> {}).start();
    }

    @Test
    void c73_tokensGrowWhateverEndsAGrant() throws Exception {
        long seed = Long.getLong("lease.seed", System.nanoTime());
        System.out.println("[lease figures] C73: -Dlease.seed=" + seed);
        Random dice = new Random(seed);
        Node a = node("A");
        Node b = node("B");
        long last = 0;
        try (Feeder feeder = Feeder.every(20, directory)) {
            for (int round = 0; round < ROUNDS; round++) {
                long before = last;
                soon().until(() -> journal.begun().stream().anyMatch(entry -> entry.token() > before));
                Journal.Entry newest = journal.begun().stream()
                        .max(Comparator.comparingLong(Journal.Entry::token))
                        .orElseThrow();
                last = newest.token();
                Change change = Change.values()[dice.nextInt(Change.values().length)];
                Node holder = newest.node().equals("A") ? a : b;
                switch (change) {
                    case GIVE_AWAY -> holder.elector("orders").giveAway();
                    case STEAL -> last = stolen(last);
                    case EXPIRE -> cutOff(holder);
                    case REMOVE_ROUTE -> removeAndAdd(holder);
                    case RESTART -> {
                        holder.close();
                        if (holder == a) {
                            a = node("A");
                        } else {
                            b = node("B");
                        }
                    }
                }
            }
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() >= files);
        }

        journal.assertNoOverlap();
        assertThat(journal.begun())
                .allSatisfy(entry -> assertThat(entry.token()).isPositive());
        for (Node node : List.of(a, b)) {
            assertThat(node.events(LeaseEvent.Granted.class).stream()
                            .map(granted -> granted.lease().token().value())
                            .toList())
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    private long stolen(long last) {
        Lease stolen = cluster.steal(lease, Duration.ofMillis(500));
        assertThat(stolen.token().value()).isGreaterThan(last);
        return stolen.token().value();
    }

    private static void cutOff(Node node) {
        int before = node.events(LeaseEvent.Lost.class).size();
        node.store.standing(Fault.lostRequest());
        soon().until(() -> node.events(LeaseEvent.Lost.class).size() > before);
        node.heal();
    }

    private void removeAndAdd(Node node) throws Exception {
        node.context.getRouteController().stopRoute("orders");
        node.context.removeRoute("orders");
        node.files("orders", directory, () -> {});
    }
}
