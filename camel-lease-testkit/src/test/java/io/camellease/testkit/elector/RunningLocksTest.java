/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import io.camellease.core.LeaseTimer;
import io.camellease.core.LockRequest;
import io.camellease.core.LockResult;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks on their own threads and the clocks of the JVM: C = 0.6 s. */
@Timeout(60)
class RunningLocksTest {

    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(6));
    private static final int CALLERS = 40;

    private final FaultyLeaseStore store = new FaultyLeaseStore(new InMemoryLeaseStore(), RunningLocksTest::pass);
    private final CountingTimer timer = new CountingTimer(LeaseTimer.thread("counting-timer"));
    private final LeaseLocks locks = locks();

    private static void pass(Duration delay) {
        try {
            boolean unused = new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private LeaseLocks locks() {
        LeaseThreads threads = LeaseThreads.forLocks(SETTINGS);
        return new LeaseLocks(
                store,
                HolderId.unique("node"),
                SETTINGS,
                new LeaseThreads(threads.ticker(), timer, threads.renewals(), threads.claims(), threads.events()));
    }

    @AfterEach
    void close() {
        store.heal();
        store.releaseHanging();
        locks.close();
    }

    /** Knows how many tasks are still to come. */
    private record CountingTimer(LeaseTimer timer, AtomicInteger pending) implements LeaseTimer {

        CountingTimer(LeaseTimer timer) {
            this(timer, new AtomicInteger());
        }

        @Override
        public void execute(Runnable task) {
            timer.execute(task);
        }

        @Override
        public Scheduled schedule(Runnable task, long delayNanos) {
            AtomicBoolean open = new AtomicBoolean(true);
            Runnable over = () -> {
                if (open.getAndSet(false)) {
                    pending.decrementAndGet();
                }
            };
            pending.incrementAndGet();
            Scheduled scheduled = timer.schedule(
                    () -> {
                        over.run();
                        task.run();
                    },
                    delayNanos);
            return () -> {
                over.run();
                scheduled.cancel();
            };
        }

        @Override
        public void close() {
            timer.close();
        }
    }

    @Test
    void allThatAskAStoreThatHangsAreAnsweredAsSoonAsOne() throws Exception {
        store.standing(Fault.hang());

        List<CompletableFuture<?>> answers = IntStream.range(0, CALLERS)
                .<CompletableFuture<?>>mapToObj(i -> locks.find(List.of(new LeaseName("shop/stock" + i))))
                .toList();

        CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        var unused = all.handle((done, failed) -> "").get(20, TimeUnit.SECONDS);
        assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Together they take longer than a call may. */
    @Test
    void allThatAskAtOnceAreAnsweredByAStoreThatIsBusyOnlyWithThem() throws Exception {
        store.standing(Fault.slow(Duration.ofMillis(100)));

        List<CompletableFuture<?>> answers = IntStream.range(0, CALLERS)
                .<CompletableFuture<?>>mapToObj(i -> locks.find(List.of(new LeaseName("shop/stock" + i))))
                .toList();

        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aCallThatHangsForGoodHoldsUpNoLaterOne() throws Exception {
        store.standing(Fault.hang());
        LeaseName stock = new LeaseName("shop/stock");
        CompletableFuture<LockResult> first =
                locks.acquire(new LockRequest(stock, Duration.ofSeconds(60), "note", Duration.ofSeconds(5)));
        assertThat(first.get(20, TimeUnit.SECONDS)).isInstanceOf(LockResult.NotAcquired.class);

        store.heal();

        assertThat(locks.acquire(new LockRequest(stock, Duration.ofSeconds(60), "note", Duration.ofSeconds(10)))
                        .get(20, TimeUnit.SECONDS))
                .isInstanceOf(LockResult.Acquired.class);
    }

    @Test
    void whoTriesOnceIsAnsweredSoonAlthoughTheStoreHangs() throws Exception {
        store.standing(Fault.hang());

        List<CompletableFuture<LockResult>> answers = IntStream.range(0, CALLERS)
                .mapToObj(i -> locks.acquire(new LockRequest(
                        new LeaseName("shop/stock" + i), Duration.ofSeconds(60), "note", Duration.ZERO)))
                .toList();

        for (CompletableFuture<LockResult> answer : answers) {
            assertThat(answer.get(20, TimeUnit.SECONDS)).isInstanceOf(LockResult.NotAcquired.class);
        }
    }

    @Test
    void aLockThatWasGivenBackLeavesNothingBehind() throws Exception {
        for (int round = 0; round < CALLERS; round++) {
            LockRequest request =
                    new LockRequest(new LeaseName("shop/stock"), Duration.ofHours(1), "note", Duration.ofSeconds(20));
            LockResult result = locks.acquire(request).get(20, TimeUnit.SECONDS);

            assertThat(locks.release(((LockResult.Acquired) result).lock()).get(20, TimeUnit.SECONDS))
                    .isTrue();
        }

        assertThat(timer.pending()).hasValueLessThan(10);
    }
}
