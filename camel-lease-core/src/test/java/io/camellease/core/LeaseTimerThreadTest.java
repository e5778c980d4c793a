/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LeaseTimerThreadTest {

    private static final long LONG = Duration.ofSeconds(10).toNanos();

    private final LeaseTimer timer = LeaseTimer.thread("test-timer");
    private final Queue<String> ran = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void runsItsTasksInOrderOnOneThread() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            int task = i;
            timer.execute(() -> ran.add(task + " " + Thread.currentThread().getName()));
        }

        assertThat(timer.awaitIdle(LONG)).isTrue();
        assertThat(ran)
                .hasSize(1_000)
                .startsWith("0 test-timer", "1 test-timer")
                .endsWith("999 test-timer");
    }

    @Test
    void goesOnAfterATaskThatThrowsAnything() throws Exception {
        timer.execute(() -> {
            throw new AssertionError("thrown on purpose");
        });
        timer.execute(() -> ran.add("next"));

        assertThat(timer.awaitIdle(LONG)).isTrue();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void doesNotRunWhatWasCancelled() throws Exception {
        // from a task, so that it cannot begin before it is cancelled
        timer.execute(() -> timer.schedule(() -> ran.add("cancelled"), 0).cancel());

        assertThat(timer.awaitIdle(LONG)).isTrue();
        assertThat(timer.awaitIdle(LONG)).isTrue();
        assertThat(ran).isEmpty();
    }

    @Test
    void ignoresWhatComesAfterItWasClosed() throws Exception {
        timer.schedule(() -> ran.add("dropped"), Duration.ofHours(1).toNanos());
        timer.close();
        timer.execute(() -> ran.add("too late"));
        timer.schedule(() -> ran.add("too late"), 0).cancel();

        assertThat(timer.awaitIdle(1)).isFalse();
        assertThat(ran).isEmpty();
    }

    @Test
    void saysHowLateATaskBeganAtWorst() throws Exception {
        Duration block = Duration.ofMillis(300);
        CountDownLatch waitsInLine = new CountDownLatch(1);
        timer.execute(() -> {
            timer.execute(waitsInLine::countDown);
            long until = System.nanoTime() + block.toNanos();
            while (System.nanoTime() - until < 0) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
        });
        assertThat(waitsInLine.await(10, TimeUnit.SECONDS)).isTrue();

        assertThat(timer.worstLateness()).isBetween(block, Duration.ofSeconds(10));
    }

    @Test
    void runsWhatIsOverdueAtOnce() throws Exception {
        timer.schedule(() -> ran.add("overdue"), Long.MIN_VALUE);

        assertThat(timer.awaitIdle(LONG)).isTrue();
        assertThat(ran).containsExactly("overdue");
    }
}
