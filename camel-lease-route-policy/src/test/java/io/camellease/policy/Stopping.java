/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.time.Duration;

/** A node that is being stopped. Waits for the end of that when it is closed. */
final class Stopping implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(40);

    private final Thread thread;

    private Stopping(Node node) {
        thread = new Thread(node::close, "stopping-" + node.label);
        thread.start();
    }

    static Stopping of(Node node) {
        return new Stopping(node);
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    @Override
    public void close() {
        Waiting.within(LONGEST).until(this::isDone);
    }
}
