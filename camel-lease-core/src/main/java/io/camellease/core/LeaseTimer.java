/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The only door to waiting: runs tasks one after the other, never two at a time. A task that throws does not stop the
 * others. Thread-safe.
 */
public interface LeaseTimer extends AutoCloseable {

    /** A task that was scheduled. Thread-safe. */
    interface Scheduled {
        /** Keeps the task from running, if it has not begun. */
        void cancel();
    }

    /** Runs the task as soon as the tasks before it have run. Ignored after {@link #close}. */
    void execute(Runnable task);

    /**
     * Runs the task once after the delay.
     *
     * @param delayNanos nanoseconds; 0 or less means as soon as possible
     */
    Scheduled schedule(Runnable task, long delayNanos);

    /**
     * Waits until the tasks that are due now have run. Not to be called from a task.
     *
     * @param maxNanos how long at most, in nanoseconds
     * @return whether they have; false if the timer is closed
     */
    default boolean awaitIdle(long maxNanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        execute(done::countDown);
        return done.await(maxNanos, TimeUnit.NANOSECONDS);
    }

    /** How late a task began at worst so far, counted from when it was due; zero where time is not real. */
    default Duration worstLateness() {
        return Duration.ZERO;
    }

    /** Whether tasks are run: false after {@link #close}, or if one has not ended for a minute, which none may take. */
    default boolean isAlive() {
        return true;
    }

    /** Drops all tasks that have not begun. Does not wait. */
    @Override
    void close();

    /** A timer on one daemon thread of its own, of the given name. */
    static LeaseTimer thread(String threadName) {
        return new LeaseTimerThread(threadName);
    }
}
