/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.apache.camel.support.DefaultComponent;
import org.jspecify.annotations.Nullable;

/**
 * A thread for each task, which may block: a limit would let tasks that wait for each other wait for ever, and whoever hands one
 * over must not run it. Threads are used again, and end when they have had nothing to do for a minute. Takes tasks also before
 * the component is started and after it was stopped, when answers can still come. Thread-safe.
 */
final class BusyThreads implements Executor {

    private final DefaultComponent owner;
    private final String name;
    private @Nullable ExecutorService pool;

    BusyThreads(DefaultComponent owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    @Override
    public synchronized void execute(Runnable task) {
        ExecutorService now = pool;
        if (now == null || now.isShutdown()) {
            now = owner.getCamelContext().getExecutorServiceManager().newCachedThreadPool(owner, name);
            pool = now;
        }
        now.execute(task);
    }

    /** Its threads end as soon as their tasks have. */
    synchronized void end() {
        ExecutorService ends = pool;
        pool = null;
        if (ends != null) {
            owner.getCamelContext().getExecutorServiceManager().shutdown(ends);
        }
    }
}
