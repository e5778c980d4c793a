/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What happens on Ctrl-C: the thread that does everything is interrupted, and given the time to end its children. */
public final class CleanUp {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private CleanUp() {}

    /**
     * From now on the end of the JVM interrupts the worker, and waits for it.
     *
     * @param done is counted down by the worker when there is nothing left to clean up
     */
    public static void whenInterrupted(Thread worker, CountDownLatch done) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(worker, done), "clean-up"));
    }

    private static void interrupt(Thread worker, CountDownLatch done) {
        if (done.getCount() == 0) {
            return;
        }
        worker.interrupt();
        try {
            if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("the clean-up takes too long and is left undone");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
