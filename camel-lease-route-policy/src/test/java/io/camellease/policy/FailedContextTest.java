/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A context whose start fails leaves nothing behind, however often it is tried. */
class FailedContextTest {

    private static final int TRIES = 5;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private static Set<Thread> leaseThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("lease"))
                .collect(Collectors.toSet());
    }

    @Test
    void aContextWhoseRoutesCannotBeBuiltLeavesNoThreads() throws Exception {
        Set<Thread> before = leaseThreads();
        for (int i = 0; i < TRIES; i++) {
            Node a = cluster.node("A").routes(routes -> {
                routes.from("timer:t").routeId("good").routePolicyRef("lease").to("mock:out");
                routes.from("timer:t").routeId("bad").routePolicyRef("leese").to("mock:out");
            });
            assertThatThrownBy(a::start).rootCause().hasMessageContaining("leese");
            a.close();
        }

        soon().until(() -> before.containsAll(leaseThreads()));
    }

    @Test
    void aContextThatIsStartedAgainAfterItsRoutesWereMendedWorks() throws Exception {
        Node a = cluster.node("A").routes(routes -> {
            routes.from("timer:one?period=20")
                    .routeId("good")
                    .routePolicyRef("lease")
                    .process(cluster.journal.note("A"));
            routes.from("timer:two?period=20")
                    .routeId("bad")
                    .routePolicyRef("late")
                    .process(cluster.journal.note("A"));
        });
        assertThatThrownBy(a::start).rootCause().hasMessageContaining("late");

        a.context.getRegistry().bind("late", new LeaseRoutePolicy());
        a.context.start();

        a.assertFlows("good");
        a.assertFlows("bad");
        cluster.loseAndRegain(a, cluster.lease("good"));
        a.assertFlows("good");
        assertThat(a.leases.electors()).hasSize(2);
    }

    @Test
    void aContextWhoseConsumersCannotBeStartedLeavesNoThreads() throws Exception {
        Set<Thread> before = leaseThreads();
        for (int i = 0; i < TRIES; i++) {
            Node a = cluster.node("A");
            Probe.in(a).onStart = () -> {
                throw new IllegalStateException("the port is taken");
            };
            a.routes(routes -> {
                routes.from("timer:t").routeId("good").routePolicyRef("lease").to("mock:out");
                routes.from("probe:p").routeId("bad").to("mock:out");
            });
            assertThatThrownBy(a::start).hasStackTraceContaining("the port is taken");
            a.close();
        }

        soon().until(() -> before.containsAll(leaseThreads()));
    }
}
