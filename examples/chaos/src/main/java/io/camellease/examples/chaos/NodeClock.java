/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.RunnerLog;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The wall clock of one node, moved by libfaketime. The monotonic clock is left alone. Confined to one thread. */
final class NodeClock implements Lane.Target {

    private static final List<String> PLACES = List.of("/usr/lib", "/usr/lib64", "/usr/local/lib");
    private static final String LIBRARY = "libfaketimeMT.so.1";

    private final String node;
    private final Path library;
    private final Path offsetFile;
    private final RunnerLog log;

    NodeClock(String node, Path library, Path offsetFile, RunnerLog log) throws IOException {
        this.node = node;
        this.library = library;
        this.offsetFile = offsetFile;
        this.log = log;
        shift(Duration.ZERO);
    }

    /** Where libfaketime is on this machine: Debian's place, or another usual one. */
    static Optional<Path> library() throws IOException {
        for (String place : PLACES) {
            for (String pattern : List.of("faketime", "*/faketime")) {
                Optional<Path> found = find(Path.of(place), pattern);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> find(Path place, String pattern) throws IOException {
        int slash = pattern.indexOf('/');
        String first = slash < 0 ? pattern : pattern.substring(0, slash);
        if (!Files.isDirectory(place)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(place, first)) {
            for (Path entry : entries) {
                Path library = (slash < 0 ? entry : entry.resolve(pattern.substring(slash + 1))).resolve(LIBRARY);
                if (Files.isReadable(library)) {
                    return Optional.of(library);
                }
            }
        }
        return Optional.empty();
    }

    /** What the node's process needs in its environment. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offsetFile.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    @Override
    public void harm(PlannedHarm harm) throws IOException {
        jump(harm.amount());
    }

    @Override
    public boolean repair(PlannedHarm harm) throws IOException {
        jump(Duration.ZERO);
        return true;
    }

    private void jump(Duration offset) throws IOException {
        long from = System.nanoTime();
        shift(offset);
        log.write("clock " + node + " amount=" + offset.toMillis() + " from=" + from + " now=" + System.nanoTime());
    }

    /** By a rename, because the node reads the file each time it looks at its clock. */
    private void shift(Duration offset) throws IOException {
        Path part = offsetFile.resolveSibling(offsetFile.getFileName() + ".part");
        Files.writeString(part, String.format("%+d", offset.toSeconds()));
        Files.move(part, offsetFile, StandardCopyOption.ATOMIC_MOVE);
    }
}
