/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static io.camellease.policy.Waiting.within;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LossReason;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A refusal of the store is believed at once; an error proves nothing. */
@CaseTest
class RenewalTroubleTest {

    private static final int PACE_MILLIS = 50;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    private Node working(Node node) throws Exception {
        node.files("orders", directory, () -> {}).start();
        soon().until(() -> journal.begun(node.label).size() > 10);
        return node;
    }

    @Test
    void c05_aHolderThatIsToldSomebodyElseHasItStopsAtThatRenewalAndLeavesTheRecordAlone() throws Exception {
        LeaseName lease = cluster.lease("orders");
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory);
                LogLines log = LogLines.open()) {
            Node a = cluster.node("A").ttl(Duration.ofSeconds(10));
            a.leases.setRenewInterval("1s");
            a.leases.setStoreTimeout("500ms");
            working(a);
            long token = cluster.record(lease).token();
            Duration stolenFor = Duration.ofSeconds(4);

            long stolenAt = System.nanoTime();
            cluster.steal(lease, stolenFor);
            String stolen = cluster.store.raw(lease);
            within(Duration.ofMillis(1500))
                    .until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
            long lostAt = System.nanoTime();
            soon().until(() -> !cluster.store.raw(lease).equals(stolen));
            long changedAt = System.nanoTime();
            soon().until(() -> Journal.tokens(journal.begun("A")).size() == 2);
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(a.events(LeaseEvent.Lost.class).get(0).reason()).isEqualTo(LossReason.REFUSED);
            assertThat(journal.begun("A"))
                    .filteredOn(Journal.Entry::token, token)
                    .allSatisfy(entry -> assertThat(entry.checkedAt()).isLessThan(lostAt));
            assertThat(changedAt - stolenAt).isGreaterThan(stolenFor.toNanos());
            assertThat(log.of(Level.INFO, lease, cluster.thief)).isNotEmpty();
            journal.assertEachOnce(files);
        }
    }

    @Test
    void c06_renewalsThatFailForAWhileDisturbNothing() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory);
                LogLines log = LogLines.open()) {
            Node a = working(cluster.node("A").ttl(Duration.ofSeconds(6)));
            Consumer consumer = a.consumer("orders");
            a.store.script(Operation.RENEW, Fault.lostRequest());
            soon().until(() -> a.events(LeaseEvent.Secured.class).size() == 1);

            stays(Duration.ofSeconds(1), () -> a.holds("orders"));
            int before = a.store.calls(Operation.RENEW);
            a.store.standing(Fault.lostRequest());
            stays(Duration.ofMillis(2500), () -> a.holds("orders"));
            int tries = a.store.calls(Operation.RENEW) - before;
            a.store.heal();
            soon().until(() -> a.events(LeaseEvent.Secured.class).size() == 2);
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(tries).isGreaterThanOrEqualTo(3);
            assertThat(Journal.tokens(journal.begun("A"))).hasSize(1);
            assertThat(a.consumer("orders")).isSameAs(consumer);
            assertThat(a.events(LeaseEvent.Suspended.class)).isEmpty();
            assertThat(longestPause()).isLessThan(TimeUnit.SECONDS.toNanos(1));
            assertThat(log.of(Level.WARN, cluster.lease("orders"))).isEmpty();
            assertThat(log.of(Level.INFO, "renewed again")).isNotEmpty();
            journal.assertEachOnce(files);
        }
    }

    private long longestPause() {
        long longest = 0;
        long before = journal.begun().get(0).at();
        for (Journal.Entry entry : journal.begun()) {
            longest = Math.max(longest, entry.at() - before);
            before = entry.at();
        }
        return longest;
    }
}
