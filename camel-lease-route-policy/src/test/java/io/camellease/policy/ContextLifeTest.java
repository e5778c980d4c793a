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
import io.camellease.core.LeaseState;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A context can be stopped, suspended and started again at any moment: every call returns, and the lease follows. */
@CaseTest
class ContextLifeTest {

    private static final int PACE_MILLIS = 30;
    private static final int STOPS = 200;
    private static final int LANES = 10;
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");
    private final Brake brake = new Brake();
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void feed() {
        feeder = Feeder.every(PACE_MILLIS, directory);
    }

    @AfterEach
    void stopFeeding() {
        brake.release();
        feeder.close();
    }

    private Node node(String label) throws Exception {
        return cluster.node(label).ttl(Duration.ofMillis(1500)).files("orders", directory, () -> {});
    }

    /** Where the node stands when its context is stopped, and whether it must give a lease back. */
    enum Moment {
        WAITING(false) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                test.cluster.steal(test.lease, Duration.ofSeconds(3));
                Node a = test.node("A").start();
                soon().until(() -> a.elector(test.lease).lastSeen().isPresent());
                return a;
            }
        },
        CLAIM_IN_FLIGHT(false) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.node("A");
                a.store.script(Operation.CLAIM, new Fault.Slow(Duration.ofMillis(20), Duration.ofMillis(80)));
                a.start();
                soon().until(() -> a.store.calls(Operation.CLAIM) == 1);
                return a;
            }
        },
        CLAIM_HANGS(false) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.node("A");
                a.store.script(Operation.CLAIM, Fault.hang());
                a.start();
                soon().until(() -> a.store.hanging() == 1);
                return a;
            }
        },
        CONSUMER_STARTS(true) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.cluster.node("A");
                Probe probe = Probe.in(a);
                Brake starting = new Brake();
                probe.onStart = starting;
                a.routes(routes -> routes.from("probe:in")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(test.journal.note("A")));
                a.start();
                soon().until(() -> starting.holding() == 1);
                CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(starting::release);
                return a;
            }
        },
        HELD(true) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.node("A").start();
                a.assertFlows("orders");
                return a;
            }
        },
        AT_RISK(false) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = HELD.reach(test);
                a.store.standing(Fault.lostRequest());
                soon().until(() -> a.elector(test.lease).state() == LeaseState.AT_RISK);
                return a;
            }
        },
        SUSPENDED(false) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.node("A").withLongHold().start();
                a.assertFlows("orders");
                a.holdBack();
                return a;
            }
        },
        DRAINING(true) {
            @Override
            Node reach(ContextLifeTest test) throws Exception {
                Node a = test.cluster
                        .node("A")
                        .ttl(Duration.ofMillis(1500))
                        .files("orders", test.directory, test.brake)
                        .start();
                soon().until(() -> test.brake.holding() == 1);
                a.elector(test.lease).giveAway();
                soon().until(() -> a.elector(test.lease).state() == LeaseState.DRAINING);
                CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(test.brake::release);
                return a;
            }
        };

        final boolean releases;

        Moment(boolean releases) {
            this.releases = releases;
        }

        abstract Node reach(ContextLifeTest test) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void aContextThatIsStoppedInAnyStateStopsInTimeAndAnotherNodeGoesOn(Moment moment) throws Exception {
        Node a = moment.reach(this);

        long before = System.nanoTime();
        a.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(STOPS_WITHIN);
        int begun = journal.begun("A").size();
        if (moment.releases) {
            assertThat(a.events(LeaseEvent.Released.class)).hasSize(1);
            soon().until(() -> cluster.record(lease).released());
        }
        Node b = node("B").start();
        b.assertFlows("orders");
        assertThat(journal.begun("A")).hasSize(begun);
        assertThat(Journal.tokens(journal.begun())).isSorted();
    }

    @Test
    void aContextThatIsSuspendedKeepsItsLeaseAndFlowsAgainWhenItIsResumed() throws Exception {
        Node a = node("A").start();
        a.assertFlows("orders");
        Node b = node("B").start();

        a.context.suspend();
        a.assertSilent("orders");
        stays(Duration.ofSeconds(2), () -> a.holds(lease) && journal.begun("B").isEmpty());
        a.context.resume();

        a.assertFlows("orders");
        b.assertSilent("orders");
    }

    @Test
    void aStandbyWhoseContextIsSuspendedClaimsNothingUntilItIsResumed() throws Exception {
        Node a = node("A").start();
        a.assertFlows("orders");
        Node b = node("B").start();
        soon().until(() -> b.elector(lease).lastSeen().isPresent());

        b.context.suspend();
        a.close();
        stays(
                Duration.ofSeconds(2),
                () -> !cluster.record(lease).isHeld() && journal.begun("B").isEmpty());
        b.context.resume();

        b.assertFlows("orders");
    }

    @Test
    void aContextThatLosesItsLeaseWhileItIsSuspendedStartsNothingUntilItIsResumedUnderALease() throws Exception {
        Node a = node("A").start();
        a.assertFlows("orders");

        a.context.suspend();
        cluster.lose(a, lease, Duration.ofSeconds(1));
        stays(Duration.ofSeconds(2), () -> !a.holds(lease));
        a.assertSilent("orders");
        a.context.resume();

        a.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).hasSize(2).isSorted();
    }

    @Test
    void aContextThatIsStoppedAndStartedAgainTakesPartAgain() throws Exception {
        Node a = node("A").start();
        a.assertFlows("orders");

        a.context.stop();
        soon().until(() -> cluster.record(lease).released());
        Node b = node("B").start();
        b.assertFlows("orders");
        a.context.start();
        a.assertSilent("orders");
        b.close();

        a.assertFlows("orders");
        cluster.lose(a, lease, Duration.ofSeconds(2));
        a.assertSilent("orders");
        a.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).isSorted().doesNotContain(0L);
    }

    @Test
    void c04_aContextThatStopsWhileItsLeaseIsLostNeverHangs() throws Exception {
        Random random = new Random(4);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<CompletableFuture<Void>> lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < STOPS / LANES; i++) {
                                stopWhileLosing(lane + "-" + i, random.nextInt(300), threads);
                            }
                        },
                        threads))
                .toList();
        lanes.forEach(CompletableFuture::join);
        threads.shutdownNow();

        soon().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains("c04-")));
    }

    private void stopWhileLosing(String label, int offsetMillis, ExecutorService threads) {
        LeaseName shared = new LeaseName("c04-" + label);
        LeaseRoutePolicy policy = new LeaseRoutePolicy(shared.value());
        Node node = cluster.node("c04-" + label).ttl(Duration.ofSeconds(1));
        node.leases.setRenewInterval("110ms");
        try {
            node.routes(routes -> {
                for (int i = 0; i < 5; i++) {
                    routes.from("timer:" + label + i + "?delay=0&period=10")
                            .routeId("r" + i)
                            .routePolicy(policy)
                            .process(exchange -> Waiting.outlast(Duration.ofMillis(300)));
                }
            });
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        node.start();
        soon().until(() -> node.context.getInflightRepository().size() == 5);
        CompletableFuture<Void> stealing = CompletableFuture.runAsync(
                () -> cluster.steal(shared, Duration.ofMinutes(1)),
                CompletableFuture.delayedExecutor(offsetMillis, TimeUnit.MILLISECONDS, threads));
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(node::close, threads);
        stopping.orTimeout(40, TimeUnit.SECONDS).join();
        stealing.join();
        assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
    }
}
