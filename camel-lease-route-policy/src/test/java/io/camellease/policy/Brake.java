/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds exchanges in flight until the test lets them go. Thread-safe. */
final class Brake implements Runnable {

    private static final int LONGEST_SECONDS = 100;

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger holding = new AtomicInteger();

    /** Work that takes a fixed time. */
    static Runnable taking(int millis) {
        return () -> {
            try {
                MILLISECONDS.sleep(millis);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted at work", interrupted);
            }
        };
    }

    @Override
    public void run() {
        holding.incrementAndGet();
        try {
            if (!released.await(LONGEST_SECONDS, SECONDS)) {
                throw new IllegalStateException("nobody released the brake");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at work", interrupted);
        } finally {
            holding.decrementAndGet();
        }
    }

    int holding() {
        return holding.get();
    }

    void release() {
        released.countDown();
    }
}
