/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A MongoDB-protocol server in memory, as a process of its own, so that it can be frozen like a server and outlives the
 * runner that happened to start it. It ends when no runner has needed it for a while.
 */
final class EmbeddedStore {

    private static final long LOOK_MILLIS = 1000;

    private EmbeddedStore() {}

    /**
     * Serves until nobody needs it.
     *
     * @param arguments the file to write the URI to, the directory with one file per runner, and how long to wait for another
     *     runner, in ISO-8601
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MongoServer server = new MongoServer(new MemoryBackend());
        publish(server.bindAndGetConnectionString(), Path.of(arguments[0]));
        awaitNoRunner(Path.of(arguments[1]), Duration.parse(arguments[2]));
        server.shutdownNow();
    }

    private static void publish(String uri, Path file) throws IOException {
        Path part = Files.writeString(file.resolveSibling("store.part"), uri);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Without a limit: how long a person plays is up to them. */
    private static void awaitNoRunner(Path runners, Duration grace) throws IOException, InterruptedException {
        long neededAt = System.nanoTime();
        while (System.nanoTime() - neededAt < grace.toNanos()) {
            Thread.sleep(LOOK_MILLIS);
            if (anyAlive(runners)) {
                neededAt = System.nanoTime();
            }
        }
    }

    private static boolean anyAlive(Path runners) throws IOException {
        if (!Files.isDirectory(runners)) {
            return false;
        }
        try (Stream<Path> files = Files.list(runners)) {
            return files.anyMatch(
                    file -> ProcessHandle.of(Long.parseLong(file.getFileName().toString()))
                            .isPresent());
        }
    }
}
