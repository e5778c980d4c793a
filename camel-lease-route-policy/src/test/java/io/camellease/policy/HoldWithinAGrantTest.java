/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.camel.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A grant that is nearly over holds its route back, and nothing more: what comes back in time is as it was. */
@CaseTest
class HoldWithinAGrantTest {

    private static final int PACE_MILLIS = 30;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final CountingPolicy counted = new CountingPolicy();

    @TempDir
    Path directory;

    private Node node() {
        Node node = cluster.node("A").withLongHold();
        node.context.addRoutePolicyFactory((context, routeId, route) -> counted);
        return node;
    }

    private void letGo(Node node) {
        int before = node.events(LeaseEvent.Resumed.class).size();
        node.store.heal();
        soon().until(() -> node.events(LeaseEvent.Resumed.class).size() > before);
    }

    @Test
    void theSameConsumerGoesOnUnderTheSameToken() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = node().files("orders", directory, () -> {}).start();
            a.assertFlows("orders");
            Consumer consumer = a.consumer("orders");

            for (int i = 0; i < 3; i++) {
                a.assertHoldsBack("orders");
                letGo(a);
                a.assertFlows("orders");
            }
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(a.consumer("orders")).isSameAs(consumer);
            assertThat(counted.started()).isEqualTo(1);
            assertThat(counted.stopped()).isZero();
            assertThat(Journal.tokens(journal.begun())).hasSize(1);
            journal.assertEachOnce(files);
        }
    }

    /** Camel tells a policy of a start once the consumer polls already, and another policy may take its time before. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "push"})
    void aRouteThatIsHeldWhileItStartsGoesOnAfterwards(String kind) throws Exception {
        Brake starting = new Brake();
        counted.onStart = starting;
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = cluster.node("A").withVeryLongHold();
            a.context.addComponent("push", new Push());
            String files = "file:" + directory + "?initialDelay=0&delay=20&delete=true";
            a.routes(routes -> routes.from(kind.equals("file") ? files : "push:in")
                            .routeId("orders")
                            .routePolicy(counted, new LeaseRoutePolicy())
                            .process(journal.work("A", () -> {})))
                    .start();
            soon().until(() -> starting.holding() == 1);

            a.holdBack();
            starting.release();
            soon().until(() -> counted.started() == 1);
            stays(Duration.ofMillis(300), () -> a.consumer("orders") != null);
            letGo(a);

            a.assertFlows("orders");
            assertThat(a.events(LeaseEvent.Lost.class)).isEmpty();
            assertThat(counted.stopped()).isZero();
        }
    }

    @Test
    void aTimerWithoutADelayDoesNotSpinMeanwhile() throws Exception {
        Node a = node().routes(routes -> routes.from("timer:orders?delay=-1")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(journal.note("A")))
                .start();
        a.assertFlows("orders");

        a.assertHoldsBack("orders");
        letGo(a);
        a.assertFlows("orders");

        assertThat(a.refused).hasValueLessThan(20);
        assertThat(Journal.tokens(journal.begun())).hasSize(1);
    }

    @Test
    void theRestOfABatchWaitsAndThenGoesOn() throws Exception {
        Feeder.drop(directory, 0, 100);
        Node a = node().files("orders", directory, Brake.taking(50)).start();
        soon().until(() -> !journal.begun().isEmpty());

        a.holdBack();
        soon().until(() -> journal.begun().size() == journal.ended().size());
        a.assertSilent("orders");
        assertThat(journal.begun()).hasSizeLessThan(100);
        letGo(a);
        soon().until(() -> journal.ended().size() == 100);

        journal.assertEachOnce(100);
        assertThat(a.refused).hasValueLessThanOrEqualTo(1);
        assertThat(counted.started()).isEqualTo(1);
    }

    @Test
    void anExchangeInFlightGoesOnDuringTheHoldAndIsNotDoneTwice() throws Exception {
        Brake brake = new Brake();
        Feeder.drop(directory, 0, 3);
        Node a = node().files("orders", directory, brake).start();
        soon().until(() -> brake.holding() == 1);

        a.holdBack();
        stays(Duration.ofMillis(300), () -> brake.holding() == 1);
        letGo(a);
        stays(Duration.ofMillis(300), () -> brake.holding() == 1);
        brake.release();
        soon().until(() -> journal.ended().size() == 3);

        journal.assertEachOnce(3);
        assertThat(counted.started()).isEqualTo(1);
        assertThat(cluster.record(lease).token())
                .isEqualTo(journal.begun().get(0).token());
    }

    @Test
    void aHoldThatComesTooLateBackIsALossAndTheRouteStartsAfresh() throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = node().files("orders", directory, () -> {}).start();
            a.assertFlows("orders");

            a.holdBack();
            soon().until(() -> a.events(LeaseEvent.Lost.class).size() == 1);
            a.assertSilent("orders");
            a.store.heal();
            a.assertFlows("orders");
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(counted.started()).isEqualTo(2);
            assertThat(counted.stopped()).isEqualTo(1);
            assertThat(Journal.tokens(journal.begun())).hasSize(2);
            journal.assertEachOnce(files);
        }
    }
}
