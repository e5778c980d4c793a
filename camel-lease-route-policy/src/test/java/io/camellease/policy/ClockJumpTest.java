/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseThreads;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wall clock that jumps makes a holder ask the store before it begins anything more, and changes nothing else. */
@CaseTest
class ClockJumpTest {

    private static final int PACE_MILLIS = 30;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final AtomicLong offsetMillis = new AtomicLong();

    @TempDir
    Path directory;

    /** A node whose wall clock the test can step. */
    private Node node() {
        Node node = cluster.node("A").ttl(Duration.ofSeconds(4));
        Ticker system = Ticker.system();
        Ticker stepped = () -> {
            Moment now = system.now();
            return new Moment(now.nanos(), now.wallMillis() + offsetMillis.get());
        };
        node.leases.leaseThreads = settings -> {
            LeaseThreads threads = LeaseThreads.system(settings);
            return new LeaseThreads(stepped, threads.timer(), threads.renewals(), threads.claims(), threads.events());
        };
        node.leases.setStoreTimeout("600ms");
        node.leases.setRenewInterval("1200ms");
        return node;
    }

    private void step(Duration by) {
        offsetMillis.addAndGet(by.toMillis());
    }

    private Node queueReader(Runnable work) throws Exception {
        return node().routes(routes ->
                routes.from("seda:in").routeId("orders").routePolicyRef("lease").process(journal.work("A", work)));
    }

    private static void send(Node node, String body) {
        node.context.createFluentProducerTemplate().to("seda:in").withBody(body).send();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void c14_aStepOfTheWallClockIsABlink(String by) throws Exception {
        try (Feeder feeder = Feeder.every(PACE_MILLIS, directory)) {
            Node a = node().files("orders", directory, () -> {}).start();
            a.assertFlows("orders");

            for (int i = 0; i < 5; i++) {
                step(Duration.parse(by));
                a.assertFlows("orders");
            }
            int files = feeder.stop();
            soon().until(() -> journal.ended().size() == files);

            assertThat(a.events(LeaseEvent.Suspended.class)).isEmpty();
            assertThat(a.events(LeaseEvent.Lost.class)).isEmpty();
            assertThat(Journal.tokens(journal.begun())).hasSize(1);
            journal.assertEachOnce(files);
        }
    }

    @Test
    void anExchangeThatBeginsDuringASuspicionWaitsForTheStoreAndGoesOn() throws Exception {
        Node a = queueReader(() -> {}).start();
        send(a, "before");
        soon().until(() -> journal.ended().size() == 1);

        Duration slow = Duration.ofMillis(300);
        a.store.script(Operation.RENEW, Fault.slow(slow), Fault.slow(slow));
        step(Duration.ofHours(1));
        long steppedAt = System.nanoTime();
        send(a, "after");
        soon().until(() -> journal.ended().size() == 2);

        assertThat(journal.begun().get(1).checkedAt() - steppedAt).isGreaterThan(slow.toNanos());
        assertThat(a.refused).hasValue(0);
        assertThat(Journal.tokens(journal.begun())).hasSize(1);
        assertThat(a.events(LeaseEvent.Suspended.class)).isEmpty();
    }

    @Test
    void anExchangeThatHasWaitedForOneStoreTimeoutIsRefused() throws Exception {
        Node a = queueReader(() -> {}).start();
        send(a, "before");
        soon().until(() -> journal.ended().size() == 1);

        a.store.standing(Fault.lostRequest());
        step(Duration.ofHours(1));
        long steppedAt = System.nanoTime();
        send(a, "after");
        soon().until(() -> a.refused.get() == 1);
        long refusedAt = System.nanoTime();

        assertThat(Duration.ofNanos(refusedAt - steppedAt)).isGreaterThan(Duration.ofMillis(550));
        assertThat(journal.begun()).hasSize(1);
    }

    @Test
    void anExchangeInFlightIsNotDisturbedByASuspicion() throws Exception {
        Brake brake = new Brake();
        Node a = queueReader(brake).start();
        send(a, "before");
        soon().until(() -> brake.holding() == 1);

        step(Duration.ofHours(1));
        stays(Duration.ofMillis(300), () -> brake.holding() == 1);
        brake.release();
        soon().until(() -> journal.ended().size() == 1);
        send(a, "after");
        soon().until(() -> journal.ended().size() == 2);

        assertThat(a.refused).hasValue(0);
        assertThat(Journal.tokens(journal.begun())).hasSize(1);
    }
}
