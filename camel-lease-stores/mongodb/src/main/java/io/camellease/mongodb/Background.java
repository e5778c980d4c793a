/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Threads for look-ups in the DNS, which can be waited for but neither bounded nor interrupted. Stateless. */
final class Background {

    private Background() {}

    /** Starts work on a daemon thread of its own. */
    static <T> CompletableFuture<T> start(String threadName, Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(result, work), threadName);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
        try {
            result.complete(work.call());
        } catch (Throwable thrown) {
            result.completeExceptionally(thrown);
        }
    }
}
