/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lane of a running process. Thread-safe; calls run outside its lock. */
final class StoreLaneThread implements StoreLane {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLaneThread.class);

    private final String threadName;
    private final LeaseTimer timer;
    private final long patienceNanos;
    private final Object lock = new Object();
    private final Deque<Call> waiting = new ArrayDeque<>();

    private @Nullable Call running;
    private ExecutorService thread;
    private boolean closed;

    /**
     * A lane whose thread starts with the first call.
     *
     * @param patienceNanos how long a call may run before it is abandoned, in nanoseconds
     */
    StoreLaneThread(String threadName, LeaseTimer timer, long patienceNanos) {
        this.threadName = threadName;
        this.timer = timer;
        this.patienceNanos = patienceNanos;
        this.thread = newThread();
    }

    private ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(DaemonThreads.named(threadName));
    }

    @Override
    public void submit(Call call) {
        synchronized (lock) {
            if (!closed) {
                waiting.add(call);
                runNext();
            }
        }
    }

    /** Guarded by the lock. */
    private void runNext() {
        Call next = running == null ? waiting.poll() : null;
        if (next != null) {
            running = next;
            thread.execute(() -> run(next));
        }
    }

    private void run(Call call) {
        LeaseTimer.Scheduled watchdog = timer.schedule(() -> abandon(call), patienceNanos);
        try {
            call.run();
        } finally {
            watchdog.cancel();
            ended(call);
        }
    }

    private void ended(Call call) {
        synchronized (lock) {
            if (running == call) {
                running = null;
                runNext();
            }
        }
    }

    private void abandon(Call call) {
        if (!call.abandon()) {
            return;
        }
        LOG.debug("A store call did not come back in time; its thread {} is replaced.", threadName);
        synchronized (lock) {
            if (running == call && !closed) {
                thread.shutdownNow();
                thread = newThread();
                running = null;
                runNext();
            }
        }
    }

    @Override
    public boolean awaitIdle(long maxNanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        submit(new Call() {
            @Override
            public void run() {
                done.countDown();
            }

            @Override
            public boolean abandon() {
                return false;
            }
        });
        return done.await(maxNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            waiting.clear();
            thread.shutdownNow();
        }
    }
}
