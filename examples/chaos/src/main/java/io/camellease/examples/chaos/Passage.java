/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Whether, and when, something may pass a proxy. Thread-safe. */
final class Passage {

    /** How things pass. */
    enum Mode {
        /** At once. */
        OPEN,
        /** Not at all for now; it waits. */
        SHUT,
        /** Later. */
        LATE,
        /** Requests at once, replies never. */
        NO_REPLIES,
        /** Never again. */
        ENDED
    }

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Mode mode = Mode.OPEN;
    private long delayNanos;

    /** Changes it, also for what waits; {@link Mode#ENDED} is final. */
    void set(Mode wanted) {
        set(wanted, Duration.ZERO);
    }

    /** Lets everything that is read from now on pass so much later. */
    void late(Duration delay) {
        set(Mode.LATE, delay);
    }

    private void set(Mode wanted, Duration delay) {
        lock.lock();
        try {
            mode = mode == Mode.ENDED ? Mode.ENDED : wanted;
            delayNanos = delay.toNanos();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until what was just read may pass. It is as late as things are when it is read, whatever changes meanwhile.
     *
     * @return how it passes; never SHUT or ENDED
     * @throws IOException if nothing passes any more
     */
    Mode await() throws IOException, InterruptedException {
        lock.lock();
        try {
            long dueAt = System.nanoTime() + delayNanos;
            while (mode != Mode.ENDED) {
                long left = dueAt - System.nanoTime();
                if (mode == Mode.SHUT) {
                    changed.await();
                } else if (left > 0) {
                    changed.await(left, TimeUnit.NANOSECONDS);
                } else {
                    return mode;
                }
            }
            throw new IOException("the proxy is closed");
        } finally {
            lock.unlock();
        }
    }
}
