/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes the outcomes of store calls in a test with real threads. Thread-safe. */
final class Outcomes implements StoreCall.Receiver<String> {

    /** What became of one call: an answer, or why there is none. */
    record Outcome(
            @Nullable String answer, @Nullable LeaseStoreException failure, Moment sentAt, Moment now, String thread) {}

    private final BlockingQueue<Outcome> all = new LinkedBlockingQueue<>();

    @Override
    public void answered(String answer, Moment sentAt, Moment now) {
        all.add(new Outcome(answer, null, sentAt, now, Thread.currentThread().getName()));
    }

    @Override
    public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
        all.add(new Outcome(null, why, sentAt, now, Thread.currentThread().getName()));
    }

    /** The next one; fails if none comes. */
    Outcome next() throws InterruptedException {
        Outcome outcome = all.poll(10, TimeUnit.SECONDS);
        assertThat(outcome).as("an outcome within 10 seconds").isNotNull();
        return outcome;
    }

    int size() {
        return all.size();
    }
}
