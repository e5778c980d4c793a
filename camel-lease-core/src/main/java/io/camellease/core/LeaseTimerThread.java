/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.OptionalLong;
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

    /** No task blocks, so one that takes as long as that never ends. */
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ScheduledThreadPoolExecutor executor;
    private final AtomicLong worstLatenessNanos = new AtomicLong();

    /** When the task under way began; empty between tasks. */
    private volatile OptionalLong beganAt = OptionalLong.empty();

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
                beganAt = OptionalLong.of(System.nanoTime());
                worstLatenessNanos.accumulateAndGet(System.nanoTime() - dueAt, Math::max);
                task.run();
            } catch (Throwable thrown) {
                LOG.error(
                        "A task of the lease timer failed. This is a defect of Camel Lease: please report it.", thrown);
            } finally {
                beganAt = OptionalLong.empty();
            }
        };
    }

    @Override
    public Duration worstLateness() {
        return Duration.ofNanos(worstLatenessNanos.get());
    }

    @Override
    public boolean isAlive() {
        OptionalLong began = beganAt;
        boolean stuck = began.isPresent() && System.nanoTime() - began.getAsLong() > STUCK_NANOS;
        return !stuck && !executor.isShutdown();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
