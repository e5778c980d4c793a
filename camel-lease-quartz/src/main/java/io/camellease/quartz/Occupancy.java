/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How many fires are being looked at, run, or still to be stored something about. Thread-safe. */
final class Occupancy {

    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicReference<@Nullable Runnable> whenQuiet = new AtomicReference<>();

    void enter() {
        busy.incrementAndGet();
    }

    void leave() {
        busy.decrementAndGet();
        tellIfQuiet();
    }

    boolean isQuiet() {
        return busy.get() == 0;
    }

    /** Runs the task as soon as it is quiet, which may be now; replaces one that waits still. */
    void whenQuiet(Runnable task) {
        whenQuiet.set(task);
        tellIfQuiet();
    }

    private void tellIfQuiet() {
        if (isQuiet()) {
            Runnable task = whenQuiet.getAndSet(null);
            if (task != null) {
                task.run();
            }
        }
    }
}
