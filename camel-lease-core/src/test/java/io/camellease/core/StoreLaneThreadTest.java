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

@Timeout(60)
class StoreLaneThreadTest {

    private static final long PATIENCE = Duration.ofMillis(100).toNanos();
    private static final long LONG = Duration.ofSeconds(10).toNanos();

    private final LeaseTimer timer = LeaseTimer.thread("test-timer");
    private final Outcomes outcomes = new Outcomes();
    private final Semaphore hang = new Semaphore(0);
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();
    private final StoreLaneThread patient = new StoreLaneThread("patient", timer, LONG * 6);
    private final StoreLaneThread lane = new StoreLaneThread("lane", timer, PATIENCE);

    @AfterEach
    void close() {
        hang.release(1_000);
        patient.close();
        lane.close();
        timer.close();
    }

    private StoreCall<String> call(Supplier<String> work) {
        return new StoreCall<>(work, outcomes, Ticker.system(), timer);
    }

    private String answer(String answer) {
        threads.add(Thread.currentThread().getName());
        return answer;
    }

    /** Hangs until the test ends, or until it is interrupted. */
    private String hang() {
        hanging.countDown();
        try {
            hang.acquire();
            return "late";
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Hangs until the test ends, as a driver in a socket read does. */
    private String hangForGood() {
        hanging.countDown();
        hang.acquireUninterruptibly();
        return "late";
    }

    @Test
    void makesItsCallsInOrderOneAtATime() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String number = "call " + i;
            expected.add(number);
            patient.submit(call(() -> {
                int others = atOnce.getAndIncrement();
                Thread.onSpinWait();
                atOnce.decrementAndGet();
                return others == 0 ? answer(number) : "not alone";
            }));
        }

        for (String number : expected) {
            assertThat(outcomes.next().answer()).isEqualTo(number);
        }
        assertThat(threads).containsOnly("patient");
    }

    @Test
    void abandonsACallThatHangsAndMakesTheNextOneOnANewThread() throws Exception {
        lane.submit(call(this::hang));
        lane.submit(call(() -> answer("next")));

        Outcomes.Outcome first = outcomes.next();
        assertThat(first.failure()).hasMessageContaining("did not answer");
        assertThat(first.now().nanosSince(first.sentAt())).isGreaterThanOrEqualTo(PATIENCE / 2);
        assertThat(outcomes.next().answer()).isEqualTo("next");
    }

    @Test
    void goesOnAlthoughTheHangingCallIgnoresInterruptsAndDropsItsLateAnswer() throws Exception {
        lane.submit(call(this::hangForGood));
        assertThat(outcomes.next().failure()).isNotNull();
        hang.release();
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
        }
        lane.submit(call(() -> "at last"));

        for (int i = 0; i < 10; i++) {
            assertThat(outcomes.next().failure()).isNotNull();
        }
        assertThat(outcomes.next().answer()).isEqualTo("at last");
    }

    @Test
    void goesOnAfterACallThatThrowsAnything() throws Exception {
        patient.submit(call(() -> {
            throw new AssertionError("an error");
        }));
        patient.submit(new StoreLane.Call() {
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
        patient.submit(call(() -> "next"));

        assertThat(outcomes.next().failure()).hasMessageContaining("an error");
        assertThat(outcomes.next().answer()).isEqualTo("next");
    }

    @Test
    void endsACallForWhichThereIsNoThreadAndTriesAgainWithTheNext() throws Exception {
        Queue<ExecutorService> executors = new ConcurrentLinkedQueue<>();
        executors.add(new WithoutThread());
        StoreLaneThread poor = new StoreLaneThread(
                () -> Optional.ofNullable(executors.poll()).orElseGet(Executors::newSingleThreadExecutor),
                timer,
                PATIENCE);
        poor.submit(call(() -> "sent"));
        poor.submit(call(() -> "next"));

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
        patient.submit(call(() -> {
            done.countDown();
            return "done";
        }));

        assertThat(patient.awaitIdle(LONG)).isTrue();
        assertThat(done.getCount()).isZero();
    }

    @Test
    void doesNotWaitLongerThanItIsAsked() throws Exception {
        patient.submit(call(this::hang));

        assertThat(patient.awaitIdle(1)).isFalse();
    }

    @Test
    void interruptsWhatRunsAndDropsWhatWaitsWhenItIsClosed() throws Exception {
        patient.submit(call(this::hang));
        patient.submit(call(() -> "dropped"));
        assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();

        patient.close();
        patient.submit(call(() -> "too late"));

        assertThat(outcomes.next().failure()).hasMessageContaining("Interrupted");
        assertThat(patient.awaitIdle(1)).isFalse();
        assertThat(outcomes.size()).isZero();
    }

    @Test
    void mayBeClosedWhileACallIsBeingAbandoned() throws Exception {
        for (int i = 0; i < 200; i++) {
            StoreLaneThread brief = new StoreLaneThread("brief", timer, 1_000);
            brief.submit(call(this::hang));
            brief.submit(call(() -> "next"));
            brief.close();
        }

        assertThat(timer.awaitIdle(LONG)).isTrue();
    }
}
