/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseTimer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where routes are started, stopped and watched: apart from the lease's own threads, since a start or stop can block as long
 * as a consumer pleases. Thread-safe.
 */
final class RouteThreads {

    private static final Logger LOG = LoggerFactory.getLogger(RouteThreads.class);
    private static final int CALLS = 8;

    /** So many may wait for the lock of the context, in calls of Camel, and leave threads to those that need none. */
    private static final int SWITCHES = 6;

    private static final int IDLE_SECONDS = 60;
    private static final long MILLION = 1_000_000;

    private final CamelContext context;
    private final ThreadPoolExecutor calls;
    private final ExecutorService apart;
    private final LeaseTimer timer;
    private final Set<Thread> own = ConcurrentHashMap.newKeySet();
    private final Semaphore switches = new Semaphore(SWITCHES);

    RouteThreads(CamelContext context) {
        this.context = context;
        // not one of Camel's pools: what an application sets for those must not drop or displace a step
        this.calls = new ThreadPoolExecutor(
                CALLS,
                CALLS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                step -> context.getExecutorServiceManager().newThread("lease-routes", step));
        this.calls.allowCoreThreadTimeOut(true);
        this.apart = context.getExecutorServiceManager().newCachedThreadPool(this, "lease-consumer");
        this.timer = LeaseTimer.thread("lease-drain");
    }

    /** Whether the calling thread is one on which routes are started and stopped, and not one of an operator. */
    boolean isOwn() {
        return own.contains(Thread.currentThread());
    }

    private void asOwn(Runnable step) {
        own.add(Thread.currentThread());
        try {
            step.run();
        } finally {
            own.remove(Thread.currentThread());
        }
    }

    /** Runs a step that may block. */
    void call(Runnable step) {
        try {
            calls.execute(() -> asOwn(step));
        } catch (RejectedExecutionException stopped) {
            LOG.debug("The context stops: a step of a leased route is dropped", stopped);
        }
    }

    /** Starts or stops a route. */
    interface Switch {
        void run() throws Exception;
    }

    /**
     * Runs a part of a step of {@link #call} that may start or stop a route, unless as many as may wait for Camel.
     *
     * @return whether it ran
     */
    boolean switching(Switch part) throws Exception {
        if (!switches.tryAcquire()) {
            return false;
        }
        try {
            part.run();
            return true;
        } finally {
            switches.release();
        }
    }

    /**
     * Runs a step that may block as long as a network pleases, on a thread that nobody else waits for.
     *
     * @return false if the context stops and the step is dropped
     */
    boolean apart(Runnable step) {
        try {
            apart.execute(step);
            return true;
        } catch (RejectedExecutionException stopped) {
            LOG.debug("The context stops: a step of a leased consumer is dropped", stopped);
            return false;
        }
    }

    /** Runs a step that never blocks, after a pause in milliseconds. */
    void later(long millis, Runnable step) {
        timer.schedule(step, millis * MILLION);
    }

    void close() {
        timer.close();
        calls.shutdownNow();
        context.getExecutorServiceManager().shutdownNow(apart);
    }
}
