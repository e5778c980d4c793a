/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store is away for much longer than a lease lasts: T = 30 s, K = 3 s, E = 28.4 s. */
class OutageTest {

    private static final List<LeaseName> NAMES =
            IntStream.range(0, 5).mapToObj(i -> new LeaseName("lease-" + i)).toList();

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    @ParameterizedTest
    @CsvSource({"10, refuse", "60, refuse", "10, hang", "60, hang", "10, lose-replies", "10, readonly"})
    void endsAllWorkByEAndThenEveryLeaseHasOneHolderAgain(int ttls, String how) {
        NAMES.forEach(name -> a.elector(name).start());
        cluster.advance(0);
        NAMES.forEach(name -> b.elector(name).start());
        cluster.advance(15);
        NAMES.subList(0, 2).forEach(name -> a.elector(name).giveAway());
        cluster.advance(60);
        assertThat(holders()).as("both nodes hold some").containsOnly(1L);

        fail(a, how);
        fail(b, how);
        cluster.advance(28.4);
        for (int second = 28; second < ttls * 30; second++) {
            assertThat(holders()).as("holders after %s s of outage", second).containsOnly(0L);
            cluster.advance(1);
        }
        a.wire.heal();
        b.wire.heal();
        cluster.advance(33);

        assertThat(holders()).as("holders T + K after the return").containsOnly(1L);
        cluster.advance(120);
        assertThat(holders()).containsOnly(1L);
        assertThat(a.events(LeaseEvent.Suspended.class)).hasSameSizeAs(a.events(LeaseEvent.Lost.class));
    }

    private static void fail(Cluster.Node node, String how) {
        switch (how) {
            case "refuse" -> node.wire.standing(Fault.lostRequest());
            case "hang" -> node.wire.standing(new Fault.Slow(Duration.ofHours(2), Duration.ZERO));
            case "lose-replies" -> node.wire.standing(Fault.lostReply());
            default -> {
                for (int i = 0; i < 10_000; i++) {
                    node.wire.script(Operation.RENEW, Fault.lostRequest());
                    node.wire.script(Operation.CLAIM, Fault.lostRequest());
                }
            }
        }
    }

    private List<Long> holders() {
        return NAMES.stream()
                .map(name -> List.of(a, b).stream()
                        .filter(node -> node.elector(name).check().isPresent())
                        .count())
                .toList();
    }
}
