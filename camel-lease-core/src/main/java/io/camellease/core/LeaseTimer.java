/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

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

    /** Drops all tasks that have not begun. Does not wait. */
    @Override
    void close();

    /** A timer on one daemon thread of its own, of the given name. */
    static LeaseTimer thread(String threadName) {
        return new LeaseTimerThread(threadName);
    }
}
