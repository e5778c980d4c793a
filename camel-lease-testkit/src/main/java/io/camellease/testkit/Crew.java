/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Threads that begin the same work at the same moment. */
final class Crew {

    private Crew() {}

    /**
     * Runs the task once in each thread and returns the results in the order of their numbers, from 0.
     *
     * @throws AssertionError if a task throws or is not done within the limit
     */
    static <T> List<T> run(int threads, Duration limit, IntFunction<T> task) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                futures.add(executor.submit(() -> {
                    start.await(limit.toMillis(), TimeUnit.MILLISECONDS);
                    return task.apply(number);
                }));
            }
            return results(futures, limit);
        } finally {
            executor.shutdownNow();
        }
    }

    private static <T> List<T> results(List<Future<T>> futures, Duration limit) {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                results.add(future.get(limit.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException failed) {
                throw new AssertionError("a thread failed: " + failed.getCause(), failed.getCause());
            } catch (TimeoutException late) {
                throw new AssertionError("a thread is not done within " + limit, late);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", interrupted);
            }
        }
        return results;
    }
}
