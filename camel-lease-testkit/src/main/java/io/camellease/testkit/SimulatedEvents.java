/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** The events thread of a simulated process: one task after the other, each as slow as is drawn for it. Not thread-safe. */
final class SimulatedEvents implements Executor {

    private final VirtualTime.Node node;
    private final LongSupplier slowness;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;
    private boolean running;

    SimulatedEvents(VirtualTime.Node node, LongSupplier slowness) {
        this.node = node;
        this.slowness = slowness;
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        if (!busy) {
            busy = true;
            node.execute(this::next);
        }
    }

    private void next() {
        Runnable task = waiting.poll();
        busy = task != null;
        if (task != null) {
            running = true;
            try {
                task.run();
            } finally {
                running = false;
                node.schedule(this::next, slowness.getAsLong());
            }
        }
    }

    /** Whether a task of this thread runs now. */
    boolean isRunning() {
        return running;
    }
}
