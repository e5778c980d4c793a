/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Fires that are being looked at, or were let in, and whose work has not begun yet. Thread-safe. */
final class Arrivals {

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> ids = new HashSet<>();

    void add(String id) {
        lock.lock();
        try {
            ids.add(id);
        } finally {
            lock.unlock();
        }
    }

    /** Whether it was there. */
    boolean remove(String id) {
        lock.lock();
        try {
            changed.signalAll();
            return ids.remove(id);
        } finally {
            lock.unlock();
        }
    }

    boolean areNone() {
        lock.lock();
        try {
            return ids.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are none, at most for that time. */
    void awaitNone(long nanos) {
        long remaining = nanos;
        lock.lock();
        try {
            while (!ids.isEmpty() && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
