/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** However a consumer was treated: with the lease it consumes, without it does not. What it says about itself is no proof. */
@CaseTest
class TrafficAfterEveryPathTest {

    private static final int PACE_MILLIS = 20;

    /** What the route consumes from. */
    enum Source {
        FILE,
        TIMER,
        SEDA,
        PROBE
    }

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final ScheduledExecutorService feeding = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger fed = new AtomicInteger();

    @TempDir
    Path directory;

    @AfterEach
    void stopFeeding() {
        feeding.shutdownNow();
    }

    private Node node(String label, Source source) throws Exception {
        Node node = cluster.node(label).ttl(Duration.ofSeconds(1));
        Probe probe = Probe.in(node);
        String uri =
                switch (source) {
                    case FILE -> "file:" + directory + "?initialDelay=0&delay=20&delete=true";
                    case TIMER -> "timer:" + label + "?delay=0&period=20";
                    case SEDA -> "seda:in";
                    case PROBE -> "probe:in";
                };
        node.routes(routes ->
                routes.from(uri).routeId("orders").routePolicyRef("lease").process(journal.note(label)));
        var unused = feeding.scheduleAtFixedRate(
                () -> {
                    switch (source) {
                        case FILE -> Feeder.write(directory, "f" + fed.getAndIncrement());
                        case TIMER -> fed.getAndIncrement();
                        case SEDA -> sendToQueue(node);
                        case PROBE -> probe.messages.add("m" + fed.getAndIncrement());
                    }
                },
                0,
                PACE_MILLIS,
                TimeUnit.MILLISECONDS);
        return node;
    }

    private void sendToQueue(Node node) {
        if (node.context.isStarted()) {
            node.context
                    .createFluentProducerTemplate()
                    .to("seda:in")
                    .withBody("m")
                    .send();
        }
    }

    private void assertOnlyUnderGrantsOf(Node node) {
        List<Long> granted = node.events(LeaseEvent.Granted.class).stream()
                .map(event -> event.lease().token().value())
                .toList();
        assertThat(granted).containsAll(Journal.tokens(journal.begun(node.label)));
    }

    @ParameterizedTest
    @EnumSource
    void c48_aLeaseThatIsRefusedBeforeTheConsumerEverStarted(Source source) throws Exception {
        cluster.steal(lease, Duration.ofMinutes(1));
        Node a = node("A", source).start();

        a.assertSilent("orders");
        cluster.store.expire(lease);
        soon().until(() -> a.holds("orders"));

        a.assertFlows("orders");
        assertOnlyUnderGrantsOf(a);
    }

    @ParameterizedTest
    @EnumSource
    void c48_aConsumerThatWasStoppedBehindTheRoutesBackBeforeTheLossAndTheRegain(Source source) throws Exception {
        Node a = node("A", source).start();
        a.assertFlows("orders");

        ((Service) a.consumer("orders")).stop();
        a.assertSilent("orders");
        cluster.loseAndRegain(a, lease);

        a.assertFlows("orders");
        assertOnlyUnderGrantsOf(a);
    }

    @ParameterizedTest
    @EnumSource
    void c48_aLossAndRegainWithinMilliseconds(Source source) throws Exception {
        Node a = node("A", source).start();
        a.assertFlows("orders");

        for (int i = 0; i < 3; i++) {
            cluster.loseAndRegain(a, lease);
            a.assertFlows("orders");
        }

        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(4);
        assertOnlyUnderGrantsOf(a);
    }

    @ParameterizedTest
    @EnumSource
    void c48_aLossForAWhile(Source source) throws Exception {
        Node a = node("A", source).start();
        a.assertFlows("orders");

        cluster.lose(a, lease, Duration.ofMillis(1200));
        a.assertSilent("orders");
        soon().until(() -> a.holds("orders"));

        a.assertFlows("orders");
        assertOnlyUnderGrantsOf(a);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SEDA")
    void c48_aRouteThatIsRestartedOnTheHolder(Source source) throws Exception {
        Node a = node("A", source).start();
        a.assertFlows("orders");

        a.context.getRouteController().stopRoute("orders");
        a.assertSilent("orders");
        a.context.getRouteController().startRoute("orders");

        a.assertFlows("orders");
        assertOnlyUnderGrantsOf(a);
    }

    @ParameterizedTest
    @EnumSource
    void c48_aHoldWithinAGrant(Source source) throws Exception {
        Node a = node("A", source).withLongHold().start();
        a.assertFlows("orders");

        a.assertHoldsBack("orders");
        a.store.heal();
        soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);

        a.assertFlows("orders");
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
        assertOnlyUnderGrantsOf(a);
    }
}
