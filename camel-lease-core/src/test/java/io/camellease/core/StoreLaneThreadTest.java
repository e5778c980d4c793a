/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads; but it is the test that says when a call has taken too long, so that a slow machine changes nothing. */
@Timeout(60)
class StoreLaneThreadTest {

    private static final long LONG = Duration.ofSeconds(20).toNanos();

    private final LeaseTimer timer = LeaseTimer.thread("test-timer");
    private final Watchdogs watchdogs = new Watchdogs();
    private final Outcomes outcomes = new Outcomes();
    private final Semaphore hanging = new Semaphore(0);
    private final Semaphore letGo = new Semaphore(0);
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();
    private final StoreLaneThread lane = new StoreLaneThread("lane", watchdogs, LONG);

    /** A timer whose clock the test has in its hand. Thread-safe. */
    private final class Watchdogs implements LeaseTimer {

        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Runnable task) {
            timer.execute(task);
        }

        @Override
        public Scheduled schedule(Runnable task, long delayNanos) {
            assertThat(delayNanos).isEqualTo(LONG);
            waiting.add(task);
            return () -> waiting.remove(task);
        }

        /** The calls that run now have taken too long. */
        void bark() {
            // not those that begin because of it
            List.copyOf(waiting).forEach(task -> {
                if (waiting.remove(task)) {
                    task.run();
                }
            });
        }

        @Override
        public void close() {
            waiting.clear();
        }
    }

    @AfterEach
    void close() {
        letGo.release(1_000);
        lane.close();
        timer.close();
    }

    private StoreCall<String> call(Supplier<String> work) {
        return new StoreCall<>(work, outcomes, Ticker.system(), watchdogs);
    }

    /** Hangs until the test lets it go, or until it is interrupted. */
    private String hang() {
        hanging.release();
        try {
            letGo.acquire();
            return "late";
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Hangs until the test lets it go, as a driver in a socket read does. */
    private String hangForGood() {
        hanging.release();
        letGo.acquireUninterruptibly();
        return "late";
    }

    private void awaitHang() throws InterruptedException {
        assertThat(hanging.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void makesItsCallsInOrderOneAtATime() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String number = "call " + i;
            expected.add(number);
            lane.submit(call(() -> {
                int others = atOnce.getAndIncrement();
                threads.add(Thread.currentThread().getName());
                atOnce.decrementAndGet();
                return others == 0 ? number : "not alone";
            }));
        }

        for (String number : expected) {
            assertThat(outcomes.next().answer()).isEqualTo(number);
        }
        assertThat(threads).containsOnly("lane");
    }

    @Test
    void abandonsACallThatHangsAndMakesTheNextOneOnANewThread() throws Exception {
        lane.submit(call(this::hang));
        lane.submit(call(() -> "next"));
        awaitHang();
        assertThat(outcomes.size()).isZero();

        watchdogs.bark();

        assertThat(outcomes.next().failure()).hasMessageContaining("did not answer");
        assertThat(outcomes.next().answer()).isEqualTo("next");
    }

    @Test
    void goesOnAlthoughTheHangingCallIgnoresInterruptsAndDropsItsLateAnswer() throws Exception {
        lane.submit(call(this::hangForGood));
        awaitHang();
        watchdogs.bark();
        assertThat(outcomes.next().failure()).isNotNull();
        letGo.release();
        lane.submit(call(() -> "next"));
        lane.submit(call(() -> "after that"));

        assertThat(outcomes.next().answer()).isEqualTo("next");
        assertThat(outcomes.next().answer()).isEqualTo("after that");
        assertThat(outcomes.size()).isZero();
    }

    @Test
    void goesOnThoughCallAfterCallHangs() throws Exception {
        for (int i = 0; i < 10; i++) {
            lane.submit(call(this::hangForGood));
            awaitHang();
            watchdogs.bark();
            assertThat(outcomes.next().failure()).isNotNull();
        }
        lane.submit(call(() -> "at last"));

        assertThat(outcomes.next().answer()).isEqualTo("at last");
    }

    @Test
    void watchesACallFromWhenItIsItsTurnNotFromWhenItWasQueued() throws Exception {
        lane.submit(call(this::hang));
        lane.submit(call(this::hang));
        awaitHang();
        watchdogs.bark();
        assertThat(outcomes.next().failure()).isNotNull();
        awaitHang();

        assertThat(outcomes.size()).as("the second call has its own time").isZero();
        watchdogs.bark();
        assertThat(outcomes.next().failure()).isNotNull();
    }

    @Test
    void goesOnAfterACallThatThrowsAnything() throws Exception {
        lane.submit(call(() -> {
            throw new AssertionError("an error");
        }));
        lane.submit(new StoreLane.Call() {
            @Override
            public void send() {}

            @Override
            public Runnable call() {
                throw new IllegalStateException("thrown on purpose: a call that breaks its own rule");
            }

            @Override
            public boolean abandon() {
                return false;
            }
        });
        lane.submit(call(() -> "next"));

        assertThat(outcomes.next().failure()).hasMessageContaining("an error");
        assertThat(outcomes.next().answer()).isEqualTo("next");
    }

    @Test
    void endsACallForWhichThereIsNoThreadAndTriesAgainWithTheNext() throws Exception {
        Queue<ExecutorService> executors = new ConcurrentLinkedQueue<>(List.of(new WithoutThread()));
        StoreLaneThread poor = new StoreLaneThread(
                () -> Optional.ofNullable(executors.poll()).orElseGet(Executors::newSingleThreadExecutor),
                watchdogs,
                LONG);
        poor.submit(call(() -> "sent"));
        poor.submit(call(() -> "next"));
        watchdogs.bark();

        assertThat(outcomes.next().failure()).isNotNull();
        assertThat(outcomes.next().answer()).isEqualTo("next");
        poor.close();
    }

    private static final class WithoutThread extends ThreadPoolExecutor {
        WithoutThread() {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public void execute(Runnable command) {
            throw new OutOfMemoryError("thrown on purpose: unable to create native thread");
        }
    }

    @Test
    void waitsUntilItIsIdle() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        lane.submit(call(() -> {
            done.countDown();
            return "done";
        }));

        assertThat(lane.awaitIdle(LONG)).isTrue();
        assertThat(done.getCount()).isZero();
    }

    @Test
    void doesNotWaitLongerThanItIsAsked() throws Exception {
        lane.submit(call(this::hang));

        assertThat(lane.awaitIdle(1)).isFalse();
    }

    @Test
    void interruptsWhatRunsAndDropsWhatWaitsWhenItIsClosed() throws Exception {
        lane.submit(call(this::hang));
        lane.submit(call(() -> "dropped"));
        awaitHang();

        lane.close();
        lane.submit(call(() -> "too late"));

        assertThat(outcomes.next().failure()).hasMessageContaining("Interrupted");
        assertThat(lane.awaitIdle(1)).isFalse();
        assertThat(outcomes.size()).isZero();
    }

    @Test
    void mayBeClosedWhileACallIsBeingAbandoned() throws Exception {
        for (int i = 0; i < 200; i++) {
            StoreLaneThread brief = new StoreLaneThread("brief", watchdogs, LONG);
            brief.submit(call(this::hang));
            brief.submit(call(() -> "next"));
            timer.execute(watchdogs::bark);
            brief.close();
        }

        assertThat(timer.awaitIdle(LONG)).isTrue();
    }
}
