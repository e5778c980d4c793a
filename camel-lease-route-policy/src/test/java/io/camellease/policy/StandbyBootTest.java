/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that boots beside a holder polls not once, however eager its consumers are and whatever the store does. */
@CaseTest
class StandbyBootTest {

    private static final LeaseName LEASE = new LeaseName("all");
    private static final int FILES = 200;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    private Node holder() throws Exception {
        Node a = cluster.node("A")
                .routes(routes -> routes.from("timer:work?period=100")
                        .routeId("work")
                        .routePolicy(new LeaseRoutePolicy(LEASE.value()))
                        .process(journal.note("A")))
                .start();
        a.assertFlows("work");
        return a;
    }

    private Node eager(String label, Duration ttl) throws Exception {
        LeaseRoutePolicy policy = new LeaseRoutePolicy(LEASE.value());
        return cluster.node(label).ttl(ttl).routes(routes -> {
            routes.from("file:" + directory + "?initialDelay=0&delay=10&delete=true")
                    .routeId("files")
                    .routePolicy(policy)
                    .process(journal.note(label));
            routes.from("timer:" + label + "?delay=-1&repeatCount=100")
                    .routeId("timer")
                    .routePolicy(policy)
                    .process(journal.note(label));
        });
    }

    private void assertOnlyTheHolderWorked(Node holder) {
        assertThat(journal.begun()).allSatisfy(entry -> assertThat(entry.node()).isEqualTo("A"));
        assertThat(directory.toFile().list()).hasSize(FILES);
        holder.assertFlows("work");
    }

    @Test
    void c42_aStandbyPollsNothingInManyBoots() throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = holder();

        for (int i = 0; i < 200; i++) {
            try (Node b = eager("B", Duration.ofSeconds(2)).start()) {
                soon().until(() -> b.elector(LEASE).lastSeen().isPresent());
            }
        }

        assertOnlyTheHolderWorked(a);
    }

    @Test
    void c42_aStandbyPollsNothingWhileTheStoreIsSlow() throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = holder();

        try (Node b = eager("B", Duration.ofSeconds(30))) {
            b.store.script(Operation.FIND, new Fault.Slow(Duration.ofSeconds(1), Duration.ofSeconds(1)));
            b.start();
            soon().until(() -> b.elector(LEASE).lastSeen().isPresent());
        }
        for (int i = 0; i < 5; i++) {
            try (Node b = eager("B", Duration.ofSeconds(1))) {
                b.store.standing(Fault.slow(Duration.ofSeconds(2)));
                b.start();
                soon().until(() -> b.store.calls(Operation.FIND) > 0);
            }
        }

        assertOnlyTheHolderWorked(a);
    }

    @Test
    void c42_aStandbyPollsNothingWhileTheStoreIsDown() throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = holder();

        for (Fault fault :
                new Fault[] {Fault.lostRequest(), Fault.lostReply(), Fault.hang(), Fault.hangAfterApplying()}) {
            try (Node b = eager("B", Duration.ofSeconds(1))) {
                b.store.standing(fault);
                b.start();
                soon().until(() -> b.store.calls(Operation.FIND) > 2);
            }
        }
        try (Node b = eager("B", Duration.ofSeconds(1))) {
            b.store.standing(Fault.lostRequest());
            b.start();
            stays(Duration.ofSeconds(2), () -> journal.begun("B").isEmpty());
        }

        assertOnlyTheHolderWorked(a);
    }
}
