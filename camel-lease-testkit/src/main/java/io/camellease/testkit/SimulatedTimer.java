/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseTimer;
import java.util.concurrent.atomic.AtomicBoolean;

/** The timer of a simulated process, which knows how many of its tasks are to come. Not thread-safe. */
final class SimulatedTimer implements LeaseTimer {

    private final VirtualTime.Node node;
    private int pending;
    private boolean closed;

    SimulatedTimer(VirtualTime.Node node) {
        this.node = node;
    }

    int pending() {
        return closed ? 0 : pending;
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0);
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
        AtomicBoolean over = new AtomicBoolean();
        pending++;
        Scheduled scheduled = node.schedule(
                () -> {
                    over.set(true);
                    pending--;
                    if (!closed) {
                        task.run();
                    }
                },
                delayNanos);
        return () -> {
            if (!over.getAndSet(true)) {
                pending--;
                scheduled.cancel();
            }
        };
    }

    @Override
    public boolean awaitIdle(long maxNanos) {
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
