/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Routes of one lease are started in the order that their author gave them, and stopped the other way round. */
@CaseTest
class StartupOrderTest {

    private static final int CYCLES = 50;
    private static final Duration POLLS_AT_MOST = Duration.ofMillis(500);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = new LeaseName("chain");
    private final LeaseRoutePolicy policy = new LeaseRoutePolicy(lease.value());
    private final List<String> switched = new CopyOnWriteArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(20, directory);
    }

    @AfterEach
    void stopFeeding() {
        feeder.close();
    }

    /** Notes which routes are started and stopped, and why exchanges fail. */
    private final class Witness extends EventNotifierSupport {
        @Override
        public void notify(CamelEvent event) {
            if (event instanceof CamelEvent.RouteStartedEvent started) {
                switched.add("start " + started.getRoute().getRouteId());
            } else if (event instanceof CamelEvent.RouteStoppedEvent stopped) {
                switched.add("stop " + stopped.getRoute().getRouteId());
            } else if (event instanceof CamelEvent.ExchangeFailedEvent failed) {
                failures.add(failed.getExchange().getException());
            }
        }
    }

    private Node quick(String label) {
        Node node = cluster.node(label).ttl(Duration.ofMillis(1200));
        node.leases.setRenewInterval("150ms");
        node.leases.setClaimInterval("60ms");
        return node;
    }

    private Node chain(String label) throws Exception {
        Node node = quick(label);
        node.context.getManagementStrategy().addEventNotifier(new Witness());
        return node.routes(routes -> {
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                    .routeId("third")
                    .startupOrder(3)
                    .routePolicy(policy)
                    .to("direct:b");
            routes.from("direct:b")
                    .routeId("second")
                    .startupOrder(2)
                    .routePolicy(policy)
                    .to("seda:c");
            routes.from("seda:c?pollTimeout=50")
                    .routeId("first")
                    .startupOrder(1)
                    .routePolicy(policy)
                    .process(journal.note(label));
        });
    }

    private long lastToken(Node node) {
        List<LeaseEvent.Granted> grants = node.events(LeaseEvent.Granted.class);
        return grants.get(grants.size() - 1).lease().token().value();
    }

    private void awaitWorkUnderTheLastGrant(Node node) {
        soon().until(() -> journal.begun().stream().anyMatch(entry -> entry.token() == lastToken(node)));
    }

    @Test
    void c50_routesOfOneLeaseStartInOrderAndStopInReverseInEveryCycle() throws Exception {
        Node a = chain("A").start();
        awaitWorkUnderTheLastGrant(a);
        soon().until(() -> switched.size() == 3);
        // direct: routes are called by others and stay up, so the two ends are what is started and stopped
        assertThat(switched).containsExactly("start second", "start first", "start third");
        switched.clear();

        for (int i = 0; i < CYCLES; i++) {
            int grants = i + 2;
            cluster.loseAndRegain(a, lease);
            soon().until(() -> a.events(LeaseEvent.Granted.class).size() == grants);
            awaitWorkUnderTheLastGrant(a);
            soon().until(() -> switched.size() == 4);
            assertThat(switched).containsExactly("stop third", "stop first", "start first", "start third");
            switched.clear();
        }

        int files = feeder.stop();
        soon().until(() -> directory.toFile().list().length == 0);
        assertThat(journal.ended()).extracting(Journal.Entry::file).contains("f0", "f" + (files - 1));
        assertThat(failures).allSatisfy(failure -> assertThat(failure).isInstanceOf(LeaseLostException.class));
        assertThat(Journal.tokens(journal.begun())).isSorted().hasSize(CYCLES + 1);
    }

    @Test
    void workThatWaitsInMemoryWhenTheLeaseIsLostGoesBackToItsSource() throws Exception {
        Brake brake = new Brake();
        Node a = quick("A").routes(routes -> {
            routes.from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                    .routeId("files")
                    .routePolicy(policy)
                    .to("seda:queue");
            routes.from("seda:queue").routeId("queue").routePolicy(policy).process(journal.work("A", brake));
        });
        a.start();
        soon().until(() -> brake.holding() == 1);
        int files = feeder.stop();
        soon().until(() -> a.context.getInflightRepository().size("files") == 0);

        cluster.lose(a, lease, Duration.ofSeconds(1));
        assertThat(journal.begun()).hasSize(1);
        brake.release();
        soon().until(() -> journal.ended().size() == files);

        journal.assertEachOnce(files);
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted();
    }

    @Test
    void aMessageOfSomebodyElseStaysInTheQueueUntilTheLeaseIsBack() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(6)).routes(routes -> routes.from("seda:queue?pollTimeout=50")
                .routeId("queue")
                .routePolicy(policy)
                .process(journal.note("A")));
        a.start();
        soon().until(() -> a.holds(lease));

        cluster.lose(a, lease, Duration.ofSeconds(5));
        // a thread that waits at the queue when its consumer is suspended still takes one, which is then refused
        Waiting.outlast(POLLS_AT_MOST);
        for (int i = 0; i < 5; i++) {
            a.context
                    .createFluentProducerTemplate()
                    .to("seda:queue")
                    .withBody("m" + i)
                    .send();
        }
        soon().until(() -> journal.ended().size() == 5);

        assertThat(Journal.tokens(journal.begun())).containsExactly(lastToken(a));
        journal.assertEachOnce(5);
    }

    @Test
    void aRouteThatCannotStartHoldsBackThoseAfterItAndNoOthersUntilTheLeaseIsGivenAway() throws Exception {
        Node a = quick("A");
        Probe.in(a).onStart = () -> {
            throw new IllegalStateException("broken");
        };
        a.routes(routes -> {
            routes.from("timer:one?delay=0&period=20")
                    .routeId("before")
                    .startupOrder(1)
                    .routePolicy(policy)
                    .process(journal.note("A"));
            routes.from("probe:two")
                    .routeId("unstartable")
                    .startupOrder(2)
                    .routePolicy(policy)
                    .process(journal.note("A"));
            routes.from("timer:three?delay=0&period=20")
                    .routeId("after")
                    .startupOrder(3)
                    .routePolicy(policy)
                    .process(journal.note("A"));
        });
        try (LogLines log = LogLines.open()) {
            a.start();
            a.assertFlows("before");
            soon().until(() -> a.events(LeaseEvent.Released.class).size() == 1);

            assertThat(journal.begun("A", "after")).isEmpty();
            assertThat(log.of(Level.ERROR, "'unstartable'", "given away")).hasSize(1);
        }
    }

    @Test
    void amongRoutesWithoutAnOrderOneThatCannotStartHoldsBackNobody() throws Exception {
        Node a = quick("A");
        Probe.in(a).onStart = () -> {
            throw new IllegalStateException("broken");
        };
        a.routes(routes -> {
            routes.from("probe:one").routeId("bad").routePolicy(policy).process(journal.note("A"));
            routes.from("timer:two?delay=0&period=20")
                    .routeId("good")
                    .routePolicy(policy)
                    .process(journal.note("A"));
        });
        a.start();

        a.assertFlows("good");
    }
}
