/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;
import io.camellease.testkit.FaultyLeaseStore;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes that want one lock, in virtual time: one of them takes it and gives it back at the pace of the claim interval. */
class LockTurnsTest {

    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(10));
    private static final Duration INTERVAL = SETTINGS.claimInterval();
    private static final Duration GAP = INTERVAL.dividedBy(10);
    private static final LeaseName STOCK = new LeaseName("shop/stock");

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(time.node(0, Duration.ZERO));

    private LeaseLocks process(String holder) {
        VirtualTime.Node clock = time.node(0, Duration.ZERO);
        VirtualLane.Turn turn = new VirtualLane.Turn();
        long patience = SETTINGS.storeTimeout().toNanos() * 2;
        return new LeaseLocks(
                new FaultyLeaseStore(store, delay -> turn.await(clock, delay)),
                new HolderId(holder),
                SETTINGS,
                new LeaseThreads(
                        clock,
                        clock,
                        new VirtualLane(clock, turn, patience),
                        new VirtualLane(clock, turn, patience),
                        clock::execute));
    }

    private static CompletableFuture<LockResult> acquire(LeaseLocks locks, Duration timeout) {
        return locks.acquire(new LockRequest(STOCK, Duration.ofSeconds(10), "note", timeout));
    }

    private static LeaseLock lock(CompletableFuture<LockResult> answer) {
        return ((LockResult.Acquired) answer.join()).lock();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b#1", "b#2", "b#3", "b#4", "b#5", "b#6"})
    void whoTakesItInStepWithTheOthersLooksDoesNotKeepItFromThem(String waiting) {
        LeaseLocks regular = process("a#1");
        CompletableFuture<LockResult> first = acquire(regular, Duration.ZERO);
        time.advance(Duration.ZERO);
        LeaseLock held = lock(first);
        CompletableFuture<LockResult> wanted = acquire(process(waiting), Duration.ofMinutes(2));

        while (!wanted.isDone()) {
            time.advance(INTERVAL.minus(GAP));
            var unused = regular.release(held);
            time.advance(GAP);
            CompletableFuture<LockResult> again = acquire(regular, Duration.ZERO);
            time.advance(Duration.ZERO);
            if (again.join() instanceof LockResult.Acquired acquired) {
                held = acquired.lock();
            }
        }

        assertThat(wanted.join()).isInstanceOf(LockResult.Acquired.class);
    }
}
