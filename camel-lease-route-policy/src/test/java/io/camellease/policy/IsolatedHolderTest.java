/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A holder that hears nothing from the store must have stopped before another node may begin. */
@CaseTest
class IsolatedHolderTest {

    private static final int PACE_MILLIS = 50;
    private static final Duration TTL = Duration.ofSeconds(2);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    private Node node(String label) throws Exception {
        return cluster.node(label).files("orders", directory, () -> {});
    }

    private Node working(String label) throws Exception {
        Node node = node(label).start();
        soon().until(() -> journal.begun(label).size() > 10);
        return node;
    }

    @Test
    void c01_aHolderThatIsCutOffIsSilentBeforeTheOtherBegins() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = working("A");
            Node b = node("B").start();

            a.store.standing(Fault.hang());
            soon().until(() -> journal.begun("B").size() > 10);
            long validUntil = a.validUntil("orders");
            long expiredAt = a.wire.newestSuccess(cluster.lease("orders")) + TTL.toNanos();
            a.heal();
            int answeredBefore = a.store.calls(Operation.FIND);
            soon().until(() -> a.store.calls(Operation.FIND) > answeredBefore + 5);
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(journal.begun("A"))
                    .allSatisfy(entry -> assertThat(entry.checkedAt()).isLessThan(validUntil));
            assertThat(journal.begun("B"))
                    .as("the store's clock counts milliseconds")
                    .allSatisfy(entry -> assertThat(entry.checkedAt()).isGreaterThan(expiredAt - 2_000_000));
            journal.assertOneAfterTheOther("A", "B");
            journal.assertEachOnce(files);
            assertThat(Journal.tokens(journal.begun("B"))).hasSize(1);
            assertThat(b.events(LeaseEvent.Granted.class)).hasSize(1);
            assertThat(b.events(LeaseEvent.Lost.class)).isEmpty();
            assertThat(a.holds("orders")).isFalse();
        }
    }

    @Test
    void c66_aHolderWhoseRenewalHangsIsSilentInTimeThoughTheStoreAppliesItLate() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = working("A");
            a.store.script(Operation.RENEW, times(20, Fault.hang()));
            soon().until(() -> a.store.hanging() > 0);
            long validUntil = a.validUntil("orders");
            long token = journal.begun("A").get(0).token();
            soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
            long lostAt = System.nanoTime();

            a.store.releaseHanging();
            soon().until(() -> Journal.tokens(journal.begun("A")).size() > 1);
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(lostAt - validUntil).isLessThan(TTL.dividedBy(2).toNanos());
            assertThat(journal.begun("A"))
                    .allSatisfy(entry -> assertThat(entry.checkedAt() < validUntil || entry.token() > token)
                            .isTrue());
            journal.assertEachOnce(files);
        }
    }

    @Test
    void c66_aRenewalThatIsAppliedAndAnsweredTooLateDoesNotReviveTheGrant() throws Exception {
        Feeder.drop(directory, 0, 1);
        Node a = node("A").start();
        soon().until(() -> journal.ended("A").size() == 1);
        Duration late = Duration.ofMillis(2500);
        a.store.script(Operation.RENEW, times(20, new Fault.Slow(Duration.ZERO, late)));
        a.store.script(Operation.CLAIM, times(100, Fault.lostRequest()));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());

        Feeder.drop(directory, 1, 2);
        stays(late, () -> journal.begun("A").size() == 1);
        a.heal();
        soon().until(() -> journal.ended("A").size() == 2);

        assertThat(Journal.tokens(journal.begun("A"))).hasSize(2).isSorted();
    }

    @Test
    void c66_aSlowRenewalDoesNotDelayTheEnd() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = working("A");
            a.store.standing(Fault.slow(Duration.ofSeconds(10)));
            soon().until(() -> !a.events(LeaseEvent.Suspended.class).isEmpty());
            long validUntil = a.validUntil("orders");
            stays(Duration.ofSeconds(2), () -> journal.begun("A").stream()
                    .allMatch(entry -> entry.checkedAt() < validUntil));

            assertThat(feeder.stop()).isGreaterThan(journal.begun("A").size());
        }
    }

    private static Fault[] times(int calls, Fault fault) {
        return Collections.nCopies(calls, fault).toArray(Fault[]::new);
    }
}
