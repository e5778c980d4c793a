/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim whose reply is lost may have been granted: the node must find out, not wait for its own ghost to expire. */
@CaseTest
class LostReplyTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    static Stream<List<Fault>> waysToLoseAReply() {
        return Stream.of(
                List.of(Fault.lostReply()),
                List.of(Fault.lostReply(), Fault.lostReply()),
                List.of(Fault.hangAfterApplying()));
    }

    private Node node(String label) throws Exception {
        Node node = cluster.node(label).ttl(TTL).files("orders", directory, () -> {});
        node.leases.setStoreTimeout("500ms");
        return node;
    }

    @ParameterizedTest
    @MethodSource("waysToLoseAReply")
    void c28_theNodeThatClaimedBecomesActiveAtTheNextTry(List<Fault> faults) throws Exception {
        Feeder.drop(directory, 0, 20);
        Node a = node("A");
        a.store.script(Operation.CLAIM, faults.toArray(Fault[]::new));
        CountingPolicy starts = new CountingPolicy();
        a.context.addRoutePolicyFactory((context, routeId, route) -> starts);
        a.start();
        soon().until(() -> a.store.calls(Operation.CLAIM) > 0);
        node("B").start();

        within(TTL.dividedBy(5)).until(() -> cluster.journal.ended("A").size() == 20);

        assertThat(starts.started()).isEqualTo(1);
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertThat(Journal.tokens(cluster.journal.begun("A")))
                .containsExactly(cluster.record(cluster.lease("orders")).token());
        assertThat(cluster.journal.begun("B")).isEmpty();
        cluster.journal.assertEachOnce(20);
    }
}
