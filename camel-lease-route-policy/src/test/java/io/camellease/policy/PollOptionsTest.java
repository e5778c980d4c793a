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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.support.DefaultPollingConsumerPollStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of polling consumers, and threads and strategies of the user's own, over a loss and a hold. */
@CaseTest
class PollOptionsTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final ScheduledExecutorService shared = Executors.newScheduledThreadPool(1);
    private final CountingStrategy strategy = new CountingStrategy();

    @TempDir
    Path directory;

    @AfterEach
    void stopThreads() {
        shared.shutdownNow();
    }

    /** A poll strategy of the user's. */
    static final class CountingStrategy extends DefaultPollingConsumerPollStrategy {

        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();

        @Override
        public boolean begin(Consumer consumer, Endpoint endpoint) {
            begun.incrementAndGet();
            return super.begin(consumer, endpoint);
        }

        @Override
        public void commit(Consumer consumer, Endpoint endpoint, int polledMessages) {
            ended.incrementAndGet();
            super.commit(consumer, endpoint, polledMessages);
        }
    }

    private Node node() {
        Node node = cluster.node("A").withLongHold();
        node.context.getRegistry().bind("shared", shared);
        node.context.getRegistry().bind("strategy", strategy);
        return node;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pollStrategy=#strategy",
                "scheduledExecutorService=#shared",
                "sendEmptyMessageWhenIdle=true",
                "backoffMultiplier=5&backoffIdleThreshold=1",
                "backoffMultiplier=5&backoffErrorThreshold=1&bridgeErrorHandler=true",
                "runLoggingLevel=DEBUG&useFixedDelay=false",
                "recursive=true&idempotent=true&moveFailed=failed"
            })
    void theConsumerGoesOnAsItWas(String options) throws Exception {
        try (Feeder feeder = Feeder.every(30, directory)) {
            Node a = node().routes(routes -> routes.from(
                            "file:" + directory + "?initialDelay=0&delay=20&delete=true&" + options)
                    .routeId("orders")
                    .routePolicyRef("lease")
                    .filter(routes.body().isNotNull())
                    .process(journal.note("A")));
            a.start();
            a.assertFlows("orders");

            cluster.loseAndRegain(a, lease);
            a.assertFlows("orders");
            a.assertHoldsBack("orders");
            a.heal();
            soon().until(() -> a.events(LeaseEvent.Resumed.class).size() == 1);
            a.assertFlows("orders");
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            journal.assertEachOnce(files);
            assertThat(a.refused).hasValueLessThanOrEqualTo(1);
        }
    }

    @Test
    void aPollStrategyOfTheUsersIsAskedOnlyWhenAPollMayBegin() throws Exception {
        Node a = node().files("orders", directory, "delete=true&pollStrategy=#strategy", () -> {});
        cluster.steal(lease, Duration.ofMinutes(1));
        a.start();
        a.assertSilent("orders");
        assertThat(strategy.begun).hasValue(0);

        cluster.store.expire(lease);
        soon().until(() -> strategy.ended.get() > 3);
        a.holdBack();
        int begun = strategy.begun.get();
        a.assertSilent("orders");
        assertThat(strategy.begun).hasValueLessThanOrEqualTo(begun + 1);
    }

    @Test
    void routesThatShareOneThreadAllComeBack() throws Exception {
        Node a = node();
        for (int i = 0; i < 3; i++) {
            String id = "shared" + i;
            a.files(id, directory.resolve(id), "delete=true&scheduledExecutorService=#shared", () -> {});
        }
        a.start();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 3; i++) {
                Feeder.drop(directory.resolve("shared" + i), round, round + 1);
            }
            int files = 3 * (round + 1);
            soon().until(() -> journal.ended().size() == files);
            for (int i = 0; i < 3; i++) {
                cluster.loseAndRegain(a, cluster.lease("shared" + i));
            }
        }
    }

    @Test
    void aSchedulerThatIsStartedByHandIsNotStartedByTheLease() throws Exception {
        Node a = node().files("orders", directory, "delete=true&startScheduler=false", () -> {});
        a.start();
        soon().until(() -> a.holds(lease) && a.status("orders").isStarted());
        Feeder.drop(directory, 0, 3);

        cluster.loseAndRegain(a, lease);
        a.assertSilent("orders");

        assertThat(journal.begun()).isEmpty();
    }
}
