/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of the application. They are told in order, on a thread of their own: one that blocks must not keep any route from
 * being started or held. Thread-safe.
 */
final class Observers implements LeaseListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);
    private static final int MAX_WAITING = 10_000;
    private static final int IDLE_SECONDS = 10;

    private final List<LeaseListener> listeners = new CopyOnWriteArrayList<>();
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Observers::newThread);

    /** Whether events are being dropped, which is said once. */
    private final AtomicBoolean drops = new AtomicBoolean();

    Observers() {
        // so that nobody has to end it
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lease-listeners");
        thread.setDaemon(true);
        return thread;
    }

    void add(LeaseListener listener) {
        listeners.add(listener);
    }

    void remove(LeaseListener listener) {
        listeners.remove(listener);
    }

    /** Runs a step after the events so far have been told. */
    void execute(Runnable step) {
        thread.execute(() -> {
            try {
                step.run();
            } catch (RuntimeException thrown) {
                LOG.error("An event could not be told", thrown);
            }
        });
    }

    @Override
    public void onEvent(LeaseEvent event) {
        if (listeners.isEmpty()) {
            return;
        }
        if (thread.getQueue().size() < MAX_WAITING) {
            drops.set(false);
            thread.execute(() -> listeners.forEach(listener -> tell(listener, event)));
        } else if (!drops.getAndSet(true)) {
            LOG.warn("A lease listener is {} events behind: it is not told what happens now", MAX_WAITING);
        }
    }

    private static void tell(LeaseListener listener, LeaseEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable thrown) {
            LOG.error("A lease listener failed on {}", event, thrown);
        }
    }

    /** Waits until the events so far have been told, but not for a listener that blocks. */
    void awaitTold(long longestMillis) {
        CountDownLatch told = new CountDownLatch(1);
        thread.execute(told::countDown);
        try {
            if (!told.await(longestMillis, TimeUnit.MILLISECONDS)) {
                LOG.debug("A lease listener is not waited for any longer");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
