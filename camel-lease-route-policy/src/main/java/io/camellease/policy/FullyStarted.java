/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.CamelContext;
import org.apache.camel.StartupListener;

/**
 * Runs a task once a context has started, after all others that wait for that: Camel calls them again whenever it starts a
 * route, and those of a component such as Quartz do not expect that while they are still being called for the context.
 */
final class FullyStarted implements StartupListener {

    private final Runnable task;
    private final AtomicBoolean isLastThere = new AtomicBoolean();

    private FullyStarted(Runnable task) {
        this.task = task;
    }

    /** To be called while the context starts; the task runs on the thread that starts it, unless that fails. */
    static void tell(CamelContext context, Runnable task) {
        add(context, new FullyStarted(task));
    }

    private static void add(CamelContext context, StartupListener listener) {
        try {
            context.addStartupListener(listener);
        } catch (Exception failed) {
            throw new IllegalStateException("cannot wait for the start of the context", failed);
        }
    }

    /** All components of the routes that there are have put their listeners behind this one: it puts one behind them. */
    @Override
    public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
        if (!alreadyStarted && isLastThere.compareAndSet(false, true)) {
            add(context, new Last());
        }
    }

    @Override
    public void onCamelContextFullyStarted(CamelContext context, boolean alreadyStarted) {
        // a context without a route tells of no other step
        if (isLastThere.compareAndSet(false, true)) {
            task.run();
        }
    }

    private final class Last implements StartupListener {

        private final AtomicBoolean isOver = new AtomicBoolean();

        @Override
        public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
            // routes may start before the context has
        }

        @Override
        public void onCamelContextFullyStarted(CamelContext context, boolean alreadyStarted) {
            if (!isOver.getAndSet(true)) {
                task.run();
            }
        }
    }
}
