/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * What the runner tells a server, and how long the server is needed. A server outlives the runner that happened to start it,
 * and ends when no runner has needed it for a while.
 *
 * @param uriFile the file to write to how the server is reached
 * @param runners the directory with one file per runner, named after its process id
 * @param grace how long to wait for another runner when none is left
 * @param inbox the directory in which work is handed in
 * @param data the directory for what the server keeps
 * @param workLog the log that all processes share
 * @param ttl how long a lease of the nodes lasts
 */
record Assignment(Path uriFile, Path runners, Duration grace, Path inbox, Path data, Path workLog, Duration ttl) {

    /** Who may log in. */
    static final String USER = "orders";

    /** With this word. */
    static final String PASSWORD = "secret";

    private static final long LOOK_MILLIS = 1000;

    /** The command line of a server's main class: the components in their order, durations in ISO-8601. */
    static Assignment of(String... arguments) {
        return new Assignment(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Duration.parse(arguments[2]),
                Path.of(arguments[3]),
                Path.of(arguments[4]),
                Path.of(arguments[5]),
                Duration.parse(arguments[6]));
    }

    /**
     * After how long a client that says nothing is put out, in whole seconds as FTP servers want it: two thirds of a lease. A
     * frozen client is out when its lease ends, and one that polls speaks far more often.
     */
    Duration idle() {
        return Duration.ofSeconds(Math.max(1, ttl.multipliedBy(2).dividedBy(3).toSeconds()));
    }

    /** Says how the server is reached, in one step, so that nobody reads a part of it. */
    void publish(String uri) throws IOException {
        Path part = Files.writeString(uriFile.resolveSibling(uriFile.getFileName() + ".part"), uri);
        Files.move(part, uriFile, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns when the server is not needed any more. Without a limit: how long a person plays is up to them. */
    void awaitNoRunner() throws IOException, InterruptedException {
        long neededAt = System.nanoTime();
        while (System.nanoTime() - neededAt < grace.toNanos()) {
            Thread.sleep(LOOK_MILLIS);
            if (anyRunnerAlive()) {
                neededAt = System.nanoTime();
            }
        }
    }

    private boolean anyRunnerAlive() throws IOException {
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
