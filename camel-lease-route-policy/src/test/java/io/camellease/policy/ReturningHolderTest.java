/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that was cut off comes back while it still works on what it had begun, and another node holds the lease. */
@CaseTest
class ReturningHolderTest {

    private static final Duration TTL = Duration.ofSeconds(2);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");

    @TempDir
    Path directory;

    @Test
    void c09_aHolderThatComesBackTouchesNothingThatIsTheOthers() throws Exception {
        Brake brake = new Brake();
        AtomicBoolean stillValid = new AtomicBoolean(true);
        Node a = cluster.node("A").ttl(TTL);
        try (LogLines log = LogLines.open()) {
            a.files("orders", directory.resolve("of-a"), () -> {
                        brake.run();
                        stillValid.set(a.elector("orders").check().isPresent());
                    })
                    .start();
            Feeder.drop(directory.resolve("of-a"), 0, 2);
            soon().until(() -> brake.holding() == 1);
            long token = journal.begun("A").get(0).token();
            Node b = cluster.node("B")
                    .ttl(TTL)
                    .files("orders", directory.resolve("of-b"), () -> {})
                    .start();

            a.store.standing(Fault.hang());
            soon().until(() -> b.holds("orders"));
            LeaseRecord taken = cluster.record(lease);
            int renewals = a.store.calls(Operation.RENEW);
            stays(TTL, () -> brake.holding() == 1);
            a.heal();
            int looks = a.store.calls(Operation.FIND);
            stays(TTL, () -> brake.holding() == 1 && isSameGrant(taken, cluster.record(lease)));
            brake.release();
            soon().until(() -> journal.ended("A").size() == 1);
            soon().until(() -> a.store.calls(Operation.FIND) > looks + 5);
            stays(TTL, () -> isSameGrant(taken, cluster.record(lease)) && !a.holds("orders"));

            assertThat(stillValid).isFalse();
            assertThat(a.store.calls(Operation.RENEW)).isEqualTo(renewals);
            assertThat(journal.begun("A")).hasSize(1);
            assertThat(log.of(Level.WARN, lease, "of A#", "is lost")).hasSize(1);
            assertThat(taken.token()).isGreaterThan(token);
            assertThat(b.events(LeaseEvent.Granted.class)).hasSize(1);
            assertThat(b.events(LeaseEvent.Lost.class)).isEmpty();
            Feeder.drop(directory.resolve("of-b"), 0, 2);
            soon().until(() -> journal.ended("B").size() == 2);
        }
    }

    /** All that a renewal leaves alone. */
    private static boolean isSameGrant(LeaseRecord taken, LeaseRecord now) {
        return now.isHeld()
                && now.token() == taken.token()
                && now.holder().equals(taken.holder())
                && now.attempt().equals(taken.attempt())
                && now.value().equals(taken.value())
                && now.acquiredAt().equals(taken.acquiredAt());
    }
}
