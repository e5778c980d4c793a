/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.camellease.core.AdvanceResult;
import io.camellease.core.Lease;
import io.camellease.core.LeaseStoreException;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The state of a record, through the elector of its holder. */
class SlotTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Instant SLOT = Instant.EPOCH.plusMillis(1);

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A").start();

    private CompletableFuture<AdvanceResult> advance(Cluster.Node node, Lease lease, Instant slot) {
        CompletableFuture<AdvanceResult> answer =
                node.elector().advance(lease, "t", slot).toCompletableFuture();
        cluster.advance(10);
        assertThat(answer).isDone();
        return answer;
    }

    private Lease granted(Cluster.Node node) {
        cluster.secondsUntilUsable(node, LIMIT);
        return node.elector().lease().orElseThrow();
    }

    @Test
    void slotsOfEarlierGrantsComeWithTheNextGrant() {
        Lease first = granted(a);
        assertThat(a.elector().slots(first)).isEmpty();
        assertThat(advance(a, first, SLOT)).isCompletedWithValue(AdvanceResult.ADVANCED);
        Cluster.Node b = cluster.node("B").start();
        a.elector().giveAway();

        Lease second = granted(b);

        assertThat(b.elector().slots(second)).isEqualTo(Map.of("t", SLOT));
        assertThat(b.elector().slots(first)).isEmpty();
        assertThat(advance(a, first, SLOT.plusMillis(1))).isCompletedWithValue(AdvanceResult.REFUSED);
    }

    /** Whoever begins to work under a grant late needs to know what others took under it. */
    @Test
    void slotsOfAGrantAreKnownUnderIt() {
        Lease lease = granted(a);
        Instant later = SLOT.plusMillis(5);
        assertThat(advance(a, lease, later.plusNanos(1))).isCompletedWithValue(AdvanceResult.ADVANCED);

        assertThat(advance(a, lease, SLOT)).isCompletedWithValue(AdvanceResult.REFUSED);

        assertThat(a.elector().slots(lease)).isEqualTo(Map.of("t", later));
    }

    @Test
    void anAnswerThatIsLostIsUnknownAndCanBeAskedForAgain() {
        Lease lease = granted(a);
        a.wire.script(Operation.ADVANCE, Fault.lostReply());

        assertThat(advance(a, lease, SLOT)).isCompletedExceptionally();
        assertThat(advance(a, lease, SLOT)).isCompletedWithValue(AdvanceResult.ADVANCED);
    }

    @Test
    void aClosedClientAnswersThatItDoesNotKnow() {
        Lease lease = granted(a);
        a.client.close();

        assertThat(a.elector().advance(lease, "t", SLOT).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LeaseStoreException.class);
    }

    @Test
    void anIllegalKeyIsRefusedAtOnce() {
        Lease lease = granted(a);

        assertThatIllegalArgumentException().isThrownBy(() -> a.elector().advance(lease, " ", SLOT));
    }
}
