/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The timer of a running process. Thread-safe. */
final class LeaseTimerThread implements LeaseTimer {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseTimerThread.class);

    private final ScheduledThreadPoolExecutor executor;
    private final AtomicLong worstLatenessNanos = new AtomicLong();

    LeaseTimerThread(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(threadName));
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0);
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
        long delay = Math.max(0, delayNanos);
        long dueAt = System.nanoTime() + delay;
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(task, dueAt), delay, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            LOG.trace("timer is closed, task dropped", closed);
            return () -> {};
        }
    }

    private Runnable guarded(Runnable task, long dueAt) {
        return () -> {
            try {
                worstLatenessNanos.accumulateAndGet(System.nanoTime() - dueAt, Math::max);
                task.run();
            } catch (Throwable thrown) {
                LOG.error(
                        "A task of the lease timer failed. This is a defect of Camel Lease: please report it.", thrown);
            }
        };
    }

    @Override
    public Duration worstLateness() {
        return Duration.ofNanos(worstLatenessNanos.get());
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
