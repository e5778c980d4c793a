/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Drops a file into a directory at a steady pace. Thread-safe. */
final class Feeder implements AutoCloseable {

    private static final int CLOSE_SECONDS = 10;

    private final Path directory;
    private final AtomicInteger written = new AtomicInteger();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    private Feeder(Path directory) {
        this.directory = directory;
    }

    static Feeder every(int millis, Path directory) {
        Feeder feeder = new Feeder(directory);
        var unused = feeder.thread.scheduleAtFixedRate(feeder::writeNext, 0, millis, TimeUnit.MILLISECONDS);
        return feeder;
    }

    /** Drops files f(from) to f(to - 1) at once. */
    static void drop(Path directory, int from, int to) {
        for (int i = from; i < to; i++) {
            write(directory, "f" + i);
        }
    }

    static void write(Path directory, String name) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(name), "x");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void writeNext() {
        write(directory, "f" + written.getAndIncrement());
    }

    /** Ends the feeding and says how many files there were. */
    int stop() {
        close();
        return written.get();
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the feeder does not stop");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
