/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The wall clock of child processes, which can be stepped while they run; their monotonic clock stays as it is. By libfaketime. */
final class FakeTime {

    private static final String LIBRARY = "libfaketimeMT.so.1";

    private final Path library;
    private final Path file;

    /**
     * The clocks of this machine, to begin with. Aborts the test where libfaketime is not installed.
     *
     * @param home a directory for a file of its own
     */
    FakeTime(Path home) throws IOException {
        Optional<Path> found = find();
        Assumptions.assumeTrue(
                found.isPresent(),
                "libfaketime is not installed (Debian: package faketime), so clocks cannot be stepped");
        library = found.orElseThrow();
        file = home.resolve("faketime");
        offset(Duration.ZERO);
    }

    private static Optional<Path> find() throws IOException {
        for (Path lib : List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"))) {
            if (Files.isDirectory(lib)) {
                try (Stream<Path> folders = Files.list(lib)) {
                    Optional<Path> found = folders.map(
                                    folder -> folder.resolve("faketime").resolve(LIBRARY))
                            .filter(Files::exists)
                            .findFirst();
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Steps the wall clock to that much from the true time. In one step, so that no process reads half of it. */
    void offset(Duration fromTrueTime) throws IOException {
        Path next = file.resolveSibling("faketime.next");
        Files.writeString(next, String.format("%+d", fromTrueTime.toSeconds()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What a process must have in its environment to be under this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }
}
