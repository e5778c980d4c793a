/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the steps of one namespace one after the other, in order, on a daemon thread that exists while there is something to run
 * and 10 s longer, so that nobody has to end it. Never on the caller's thread, who may hold a lock, and whatever the thread pool
 * profile of the context says. Thread-safe.
 */
final class ClusterTurns implements Executor {

    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor thread;

    ClusterTurns(String namespace) {
        thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, "lease-cluster-" + namespace);
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable step) {
        thread.execute(step);
    }
}
