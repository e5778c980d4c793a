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
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The password of the database is changed while nodes run. */
@CaseTest
class ChangedPasswordTest {

    private static final String RIGHT = "opensesame";
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Duration.ofSeconds(10);

    @RegisterExtension
    final GuardedDatabase database = new GuardedDatabase(RIGHT);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private Node node(String label) throws Exception {
        return cluster.node(label, database.store(RIGHT, STORE_TIMEOUT))
                .ttl(TTL)
                .routes(routes -> routes.from("timer:t?period=20&delay=0")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(cluster.journal.note(label)));
    }

    @Test
    void c111_aHolderStopsInTimeSaysWhyAndGoesOnByItself() throws Exception {
        try (LogLines log = LogLines.open()) {
            Node a = node("A").start();
            a.assertFlows("orders");
            long changedAt = System.nanoTime();

            database.changePassword("another");

            soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
            long last = cluster.journal.begun("A").stream()
                    .mapToLong(Journal.Entry::at)
                    .max()
                    .orElseThrow();
            assertThat(Duration.ofNanos(last - changedAt)).isLessThan(TTL);
            assertThat(log.of(Level.ERROR, "the server does not accept the credentials", "code 18"))
                    .isNotEmpty();
            int refusedSoFar = database.refused();
            stays(OUTAGE, () -> cluster.journal.begun("A").stream().noneMatch(entry -> entry.at() > last));
            int refused = database.refused() - refusedSoFar;
            System.out.printf("Logins that were refused in %d s: %d%n", OUTAGE.toSeconds(), refused);
            // a look at each claim interval would be 20, and the driver repeats what is read
            assertThat(refused).isBetween(1, 15);

            database.changePassword(RIGHT);

            a.assertFlows("orders");
        }
    }
}
