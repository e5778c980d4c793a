/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The timer of a running process. Thread-safe. */
final class LeaseTimerThread implements LeaseTimer {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseTimerThread.class);

    private final ScheduledThreadPoolExecutor executor;

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
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            LOG.trace("timer is closed, task dropped", closed);
            return () -> {};
        }
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable thrown) {
                LOG.error(
                        "A task of the lease timer failed. This is a defect of Camel Lease: please report it.", thrown);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
