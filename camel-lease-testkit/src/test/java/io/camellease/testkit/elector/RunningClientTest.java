/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseThreads;
import io.camellease.core.StoreLane;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client on its own threads and the clocks of the JVM: T = 6 s, C = 0.6 s. */
@Timeout(60)
class RunningClientTest {

    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(6));

    private final InMemoryLeaseStore memory = new InMemoryLeaseStore();
    private final FaultyLeaseStore store = new FaultyLeaseStore(memory);
    private final BlockingQueue<LeaseEvent> events = new LinkedBlockingQueue<>();
    private final List<LeaseClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        store.heal();
        store.releaseHanging();
        clients.forEach(LeaseClient::close);
    }

    private LeaseClient client(String label) {
        LeaseClient client = new LeaseClient(store, HolderId.unique(label), SETTINGS);
        clients.add(client);
        return client;
    }

    private LeaseElector started(LeaseClient client) {
        LeaseElector elector = client.elector(ORDERS, events::add, () -> "");
        elector.start();
        return elector;
    }

    private <E extends LeaseEvent> E next(Class<E> kind) throws InterruptedException {
        LeaseEvent event = events.poll(20, TimeUnit.SECONDS);
        assertThat(event).isInstanceOf(kind);
        return kind.cast(event);
    }

    @Test
    void isGrantedALeaseAndHandsItOver() throws Exception {
        LeaseElector first = started(client("A"));
        LeaseEvent.Granted granted = next(LeaseEvent.Granted.class);
        assertThat(first.check()).isPresent();

        BlockingQueue<LeaseEvent> ofSecond = new LinkedBlockingQueue<>();
        LeaseElector second = client("B").elector(ORDERS, ofSecond::add, () -> "");
        second.start();
        assertThat(ofSecond.poll(20, TimeUnit.SECONDS)).isInstanceOf(LeaseEvent.HolderChanged.class);
        first.stop();
        next(LeaseEvent.Draining.class);
        first.drained(granted.lease());
        next(LeaseEvent.Released.class);

        assertThat(ofSecond.poll(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(LeaseEvent.Granted.class, next -> assertThat(
                                next.lease().token())
                        .isGreaterThan(granted.lease().token()));
        assertThat(first.check()).isEmpty();
        assertThat(second.check()).isPresent();
    }

    @Test
    void tellsAllThatHappensBeforeItIsClosed() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<LeaseEvent> told = new CopyOnWriteArrayList<>();
            LeaseClient client = client("A");
            LeaseElector elector = client.elector(
                    new LeaseName("closing/" + round),
                    event -> {
                        told.add(event);
                        events.add(event);
                        if (event instanceof LeaseEvent.Released) {
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                            told.add(event);
                        }
                    },
                    () -> "");
            elector.start();
            LeaseEvent.Granted granted = next(LeaseEvent.Granted.class);
            elector.stop();
            next(LeaseEvent.Draining.class);

            elector.drained(granted.lease());
            client.close();

            assertThat(told).last().isInstanceOf(LeaseEvent.Released.class);
            assertThat(told).filteredOn(LeaseEvent.Released.class::isInstance).hasSize(2);
            events.clear();
        }
    }

    @Test
    void aListenerMayCloseTheClient() throws Exception {
        BlockingQueue<Duration> closed = new LinkedBlockingQueue<>();
        LeaseClient client = client("A");
        client.elector(
                        ORDERS,
                        event -> {
                            long begun = System.nanoTime();
                            client.close();
                            closed.add(Duration.ofNanos(System.nanoTime() - begun));
                        },
                        () -> "")
                .start();

        assertThat(closed.poll(20, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void losesALeaseInTimeAlthoughTheStoreHangsAndTakesItBackAfterwards() throws Exception {
        LeaseElector elector = started(client("A"));
        next(LeaseEvent.Granted.class);
        store.standing(Fault.hang());

        next(LeaseEvent.AtRisk.class);
        next(LeaseEvent.Suspended.class);
        assertThat(elector.check()).isEmpty();
        LeaseEvent.Lost lost = next(LeaseEvent.Lost.class);
        store.heal();
        store.releaseHanging();
        elector.drained(lost.lease());

        next(LeaseEvent.Granted.class);
        assertThat(elector.check()).isPresent();
    }

    @Test
    void goesOnAlthoughItsLanesTakeOnlyEverySecondCall() throws Exception {
        LeaseThreads threads = LeaseThreads.system(SETTINGS);
        LeaseThreads reluctant = new LeaseThreads(
                threads.ticker(),
                threads.timer(),
                new ReluctantLane(threads.renewals()),
                new ReluctantLane(threads.claims()),
                threads.events());
        LeaseClient client = new LeaseClient(store, HolderId.unique("A"), SETTINGS, reluctant, () -> UUID.randomUUID()
                .toString());
        clients.add(client);
        LeaseElector elector = started(client);

        next(LeaseEvent.Granted.class);
        next(LeaseEvent.AtRisk.class);
        next(LeaseEvent.Secured.class);
        assertThat(elector.check()).isPresent();
    }

    /** A lane of a process that is short of memory. */
    private record ReluctantLane(StoreLane lane, AtomicInteger calls) implements StoreLane {

        ReluctantLane(StoreLane lane) {
            this(lane, new AtomicInteger());
        }

        @Override
        public void submit(Call call) {
            if (calls.getAndIncrement() % 2 == 0) {
                throw new OutOfMemoryError("thrown on purpose");
            }
            lane.submit(call);
        }

        @Override
        public boolean awaitIdle(long maxNanos) throws InterruptedException {
            return lane.awaitIdle(maxNanos);
        }

        @Override
        public void close() {
            lane.close();
        }
    }

    @Test
    void usesFourThreadsHoweverManyLeasesItHas() throws Exception {
        LeaseClient client = client("A");
        for (int i = 0; i < 50; i++) {
            client.elector(new LeaseName("lease-" + i), events::add, () -> "").start();
        }
        for (int i = 0; i < 50; i++) {
            next(LeaseEvent.Granted.class);
        }

        Set<String> names = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                // other classes of this JVM may lock something meanwhile
                .filter(name -> name.startsWith("lease-") && !name.startsWith("lease-lock-"))
                .collect(Collectors.toSet());
        assertThat(names).isSubsetOf("lease-timer", "lease-store-renew", "lease-store-claim", "lease-events");
    }

    @Test
    void isClosedWithinTwoStoreTimeoutsAlthoughTheStoreHangs() throws Exception {
        LeaseClient client = client("A");
        started(client);
        next(LeaseEvent.Granted.class);
        store.standing(Fault.hang());
        await(() -> store.hanging() > 0);

        long begin = System.nanoTime();
        client.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void doesNothingWhenItIsClosedAgain() {
        LeaseClient client = new LeaseClient(store, HolderId.unique("A"), LeaseSettings.of(Duration.ofSeconds(60)));
        client.close();

        long begin = System.nanoTime();
        client.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("much less than two store timeouts, which are 12 s")
                .isLessThan(Duration.ofSeconds(6));
    }

    @Test
    void closesTheGateWhenItIsClosed() throws Exception {
        LeaseClient client = client("A");
        LeaseElector elector = started(client);
        next(LeaseEvent.Granted.class);

        client.close();

        assertThat(elector.check()).isEmpty();
        assertThat(elector.state()).isEqualTo(LeaseState.STOPPED);
        assertThatIllegalStateException()
                .isThrownBy(() -> client.elector(new LeaseName("late"), events::add, () -> ""));
        elector.start();
        assertThat(elector.state()).isEqualTo(LeaseState.STOPPED);
    }

    @Test
    void triesTheReleasesThatWereAskedForBeforeItIsClosed() throws Exception {
        LeaseClient client = client("A");
        LeaseElector elector = started(client);
        next(LeaseEvent.Granted.class);
        elector.stop();
        elector.drained();
        client.close();

        assertThat(memory.find(List.of(ORDERS)).records().get(ORDERS).released())
                .isTrue();
    }

    @Test
    void givesBackWhatAClaimIsGrantedWhileItIsBeingClosed() throws Exception {
        LeaseClient client = new LeaseClient(store, HolderId.unique("A"), LeaseSettings.of(Duration.ofSeconds(30)));
        clients.add(client);
        store.script(Operation.CLAIM, Fault.hangAfterApplying());
        LeaseElector elector = started(client);
        await(() -> store.hanging() == 1);
        assertThat(memory.find(List.of(ORDERS)).records().get(ORDERS).isHeld()).isTrue();

        Thread closing = new Thread(client::close);
        closing.start();
        await(() -> elector.state() == LeaseState.STOPPED);
        store.releaseHanging();
        closing.join();

        assertThat(memory.find(List.of(ORDERS)).records().get(ORDERS).isHeld()).isFalse();
        assertThat(events).isEmpty();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void survivesThatItsListenerClosesIt() throws Exception {
        LeaseClient client = client("A");
        LeaseElector elector = client.elector(
                ORDERS,
                event -> {
                    client.close();
                    events.add(event);
                },
                () -> "");
        elector.start();

        next(LeaseEvent.Granted.class);
        assertThat(elector.check()).isEmpty();
    }
}
