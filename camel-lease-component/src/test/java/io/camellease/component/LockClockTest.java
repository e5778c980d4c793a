/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a lock counts, by clocks that a test moves. */
class LockClockTest {

    private static final LeaseName NAME = new LeaseName("shop/stock");
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(6));

    private final AtomicLong nanosAhead = new AtomicLong();
    private final AtomicLong millisAhead = new AtomicLong();
    private final FaultyLeaseStore store = new FaultyLeaseStore(new InMemoryLeaseStore());
    private final LeaseLocks locks = locks();

    private LeaseLocks locks() {
        Ticker system = Ticker.system();
        LeaseThreads threads = LeaseThreads.forLocks(SETTINGS);
        Ticker moved = () -> {
            Moment now = system.now();
            return new Moment(now.nanos() + nanosAhead.get(), now.wallMillis() + millisAhead.get());
        };
        return new LeaseLocks(
                store,
                HolderId.unique("node"),
                SETTINGS,
                new LeaseThreads(moved, threads.timer(), threads.renewals(), threads.claims(), threads.events()));
    }

    @AfterEach
    void close() {
        store.heal();
        store.releaseHanging();
        locks.close();
    }

    private CompletableFuture<LockResult> acquire(Duration timeout) {
        return locks.acquire(new LockRequest(NAME, TTL, "note", timeout));
    }

    private LeaseLock acquired() throws Exception {
        return ((LockResult.Acquired) acquire(Duration.ofSeconds(20)).get(20, TimeUnit.SECONDS)).lock();
    }

    private void move(Duration nanos, Duration wall) {
        nanosAhead.addAndGet(nanos.toNanos());
        millisAhead.addAndGet(wall.toMillis());
    }

    @Test
    void aHolderThatWasPausedDoesNotRelyOnItsLock() throws Exception {
        LeaseLock lock = acquired();
        assertThat(lock.isValid()).isTrue();
        assertThat(lock.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofMillis(58_600));

        move(TTL, TTL);

        assertThat(lock.isValid()).isFalse();
        assertThat(locks.renew(lock).get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(store.calls(Operation.RENEW)).isZero();
        assertThat(locks.release(lock).get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aHolderWhoseHostWasSuspendedReliesOnItsLockOnlyAfterARenewal() throws Exception {
        LeaseLock lock = acquired();

        move(Duration.ZERO, TTL);

        assertThat(lock.isValid()).isFalse();
        assertThat(locks.renew(lock).get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.isValid()).isTrue();
    }

    @Test
    void aGrantCountsFromBeforeItsFirstRequestWasSent() throws Exception {
        store.script(Operation.CLAIM, Fault.hangAfterApplying());
        CompletableFuture<LockResult> answer = acquire(LockRequest.FOR_EVER);
        soon().until(() -> store.hanging() == 1);
        move(Duration.ofSeconds(20), Duration.ofSeconds(20));

        store.releaseHanging();

        LeaseLock lock = ((LockResult.Acquired) answer.get(20, TimeUnit.SECONDS)).lock();
        assertThat(lock.remaining()).isLessThan(Duration.ofMillis(38_700));
    }

    @Test
    void aGrantThatComesTooLateToBeOfUseIsGivenBack() throws Exception {
        store.script(Operation.CLAIM, Fault.hangAfterApplying());
        CompletableFuture<LockResult> answer = acquire(LockRequest.FOR_EVER);
        soon().until(() -> store.hanging() == 1);
        move(Duration.ofSeconds(55), Duration.ofSeconds(55));

        store.releaseHanging();

        LeaseLock lock = ((LockResult.Acquired) answer.get(20, TimeUnit.SECONDS)).lock();
        assertThat(store.calls(Operation.CLAIM)).isEqualTo(2);
        assertThat(lock.isValid()).isTrue();
    }

    @Test
    void aCallerThatHasGoneIsNotGivenTheLock() throws Exception {
        LeaseLock lock = acquired();
        CompletableFuture<LockResult> gone = acquire(LockRequest.FOR_EVER);
        CompletableFuture<LockResult> next = acquire(LockRequest.FOR_EVER);

        gone.cancel(false);
        locks.release(lock).get(20, TimeUnit.SECONDS);

        assertThat(next.get(20, TimeUnit.SECONDS)).isInstanceOf(LockResult.Acquired.class);
    }

    @Test
    void whatIsAskedOfLocksThatAreClosedIsAnswered() throws Exception {
        LeaseLock lock = acquired();
        CompletableFuture<LockResult> waiting = acquire(LockRequest.FOR_EVER);

        locks.close();

        assertThat(waiting.get(1, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(LockResult.NotAcquired.class, result -> assertThat(result.why())
                        .isEqualTo(LockResult.Why.STOPPED));
        assertThat(acquire(LockRequest.FOR_EVER).get(1, TimeUnit.SECONDS)).isInstanceOf(LockResult.NotAcquired.class);
        assertThat(locks.release(lock))
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableOfType(ExecutionException.class);
    }
}
