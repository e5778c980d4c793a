/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One daemon thread on which listeners are told, one event at a time and in order. What comes after its end is dropped. Thread-safe. */
final class EventThread implements Executor {

    private static final long LONGEST_CLOSING_MILLIS = 500;

    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    EventThread(String name) {
        ThreadFactory factory = DaemonThreads.named(name);
        executor = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread made = factory.newThread(work);
                    thread = made;
                    return made;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public void execute(Runnable telling) {
        executor.execute(telling);
    }

    /**
     * Tells what is left, then ends. Waits for that half a second at most, and not at all if a listener calls, who would wait for
     * itself.
     */
    void close() {
        executor.shutdown();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            boolean unused = executor.awaitTermination(LONGEST_CLOSING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
