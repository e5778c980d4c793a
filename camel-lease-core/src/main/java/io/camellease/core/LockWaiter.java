/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller that waits for a lock. Confined to the timer thread but for {@link #answer}. */
final class LockWaiter {

    private final LockRequest request;
    private final CompletableFuture<LockResult> answer = new CompletableFuture<>();
    private @Nullable LeaseStoreException trouble;

    LockWaiter(LockRequest request) {
        this.request = request;
    }

    LockRequest request() {
        return request;
    }

    /** Completes once, when the caller need not wait any longer; a caller may cancel it. */
    CompletableFuture<LockResult> answer() {
        return answer;
    }

    /** The store could not say. */
    void troubled(LeaseStoreException why) {
        trouble = why;
    }

    /** The store answered. */
    void untroubled() {
        trouble = null;
    }

    /** Hands the lock out; false if the caller has gone. */
    boolean grant(LeaseLock lock) {
        return answer.complete(new LockResult.Acquired(lock));
    }

    /** The caller's time is over. */
    void deny(LockResult.Why why, Optional<LeaseRecord> seen) {
        LockResult.Why known = why == LockResult.Why.TIMEOUT && trouble != null ? LockResult.Why.STORE : why;
        answer.complete(new LockResult.NotAcquired(known, seen, Optional.ofNullable(trouble)));
    }
}
