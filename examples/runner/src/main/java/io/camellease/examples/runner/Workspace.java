/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory of a run.
 *
 * @param directory where everything is
 */
record Workspace(Path directory) {

    /** A new one in the system's temporary directory. */
    static Workspace temporary() throws IOException {
        return new Workspace(Files.createTempDirectory("camel-lease-")).prepared();
    }

    /** One at a fixed place, for several runners to share. */
    static Workspace at(Path directory) throws IOException {
        return new Workspace(directory).prepared();
    }

    /** Where files are handed in. */
    Path inbox() {
        return directory.resolve("inbox");
    }

    /** How much of what was handed in is still there; names with a dot in front are not handed in yet. */
    int left() throws IOException {
        try (Stream<Path> files = Files.list(inbox())) {
            return (int) files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .count();
        }
    }

    /** What the nodes did. */
    Path workLog() {
        return directory.resolve("work.log");
    }

    /** The console output of a child. */
    Path console(String child) {
        return directory.resolve(child + ".console");
    }

    /** Where the embedded store says how it is reached. */
    Path storeUri() {
        return directory.resolve("store.uri");
    }

    /** One file per runner that needs the embedded store, named after its process id. */
    Path runners() {
        return directory.resolve("runners");
    }

    /** Where a server says how it is reached; the embedded store is one. */
    Path uri(String server) {
        return directory.resolve(server + ".uri");
    }

    /** What a server keeps. */
    Path data(String server) {
        return directory.resolve(server + ".data");
    }

    /** The last lines that a child printed. */
    List<String> consoleTail(String child, int lines) throws IOException {
        Path console = console(child);
        if (!Files.exists(console)) {
            return List.of();
        }
        List<String> all = new String(Files.readAllBytes(console), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** The last warning or error that a node printed. */
    Optional<String> lastComplaint(String node) throws IOException {
        return consoleTail(node, Integer.MAX_VALUE).stream()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .reduce((earlier, later) -> later);
    }

    /** Removes the directory and all in it. */
    void delete() throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private Workspace prepared() throws IOException {
        Files.createDirectories(inbox());
        Files.createDirectories(runners());
        Files.writeString(
                runners().resolve(Long.toString(ProcessHandle.current().pid())), "");
        return this;
    }
}
