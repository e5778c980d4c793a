/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Lets the wall clock of a child process be wrong, and leaves its monotonic clock alone. By libfaketime. */
final class FakeClock {

    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private FakeClock() {}

    /** What such a process must have in its environment. Aborts the test where libfaketime is not installed. */
    static Map<String, String> ahead(Duration offset) throws IOException {
        Optional<Path> library;
        try (Stream<Path> folders = Files.list(Path.of("/usr/lib"))) {
            library = folders.map(folder -> folder.resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        }
        Assumptions.assumeTrue(
                library.isPresent(),
                "libfaketime is not installed (Debian: package faketime), so no node can have a wrong clock");
        return Map.of(
                "LD_PRELOAD",
                library.orElseThrow().toString(),
                "FAKETIME",
                String.format(Locale.ROOT, "%+.3f", offset.toMillis() / 1000.0),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }
}
