/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseTimer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Closes client and store of a scheduler that was shut down, once its leases were given back. */
final class Closing {

    private static final long LOOK_AGAIN_NANOS = 10_000_000L;
    private static final int RELEASE_TIMEOUTS = 3;

    private final LeaseStore store;
    private final LeaseClient client;
    private final SingletonJobs jobs;
    private final LeaseTimer timer = LeaseTimer.thread("lease-quartz-close");
    private final CountDownLatch closed = new CountDownLatch(1);
    private long nanosLeft;

    Closing(LeaseStore store, LeaseClient client, SingletonJobs jobs) {
        this.store = store;
        this.client = client;
        this.jobs = jobs;
        this.nanosLeft = client.settings().drainTimeout().toNanos();
    }

    /** Returns when all is closed; earlier only if jobs still run, or the store does not answer. */
    void begin() {
        jobs.stop();
        boolean isQuiet = jobs.isQuiet();
        timer.execute(this::look);
        if (isQuiet) {
            try {
                boolean unused = closed.await(
                        client.settings().storeTimeout().toNanos() * RELEASE_TIMEOUTS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void look() {
        nanosLeft -= LOOK_AGAIN_NANOS;
        if (!jobs.isStopped() && nanosLeft > 0) {
            timer.schedule(this::look, LOOK_AGAIN_NANOS);
            return;
        }
        client.close();
        store.close();
        closed.countDown();
        timer.close();
    }
}
