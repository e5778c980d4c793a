/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

/** What a {@link LeaseService} was told of its context. Thread-safe. */
final class ContextLife implements ContextState {

    private volatile boolean runs;
    private volatile boolean suspended;

    void started(boolean now) {
        runs = now;
    }

    void suspended(boolean now) {
        suspended = now;
    }

    @Override
    public boolean runs() {
        return runs;
    }

    @Override
    public boolean isSuspended() {
        return suspended;
    }
}
