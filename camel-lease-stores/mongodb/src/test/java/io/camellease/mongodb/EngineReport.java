/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Set;

/** Tells the build on which engines the tests ran, in {@code target/lease-engines.txt}, one line for each. Thread-safe. */
final class EngineReport {

    private static final Path FILE = Path.of("target", "lease-engines.txt");
    private static final Set<String> LINES = new LinkedHashSet<>();

    private EngineReport() {}

    static void ran(String engine, String reason) {
        add("RAN " + engine + ": " + reason);
    }

    static void skipped(String engine, String reason) {
        add("SKIPPED " + engine + ": " + reason);
    }

    private static synchronized void add(String line) {
        if (!LINES.add(line)) {
            return;
        }
        System.out.println("[lease engines] " + line);
        try {
            Files.createDirectories(FILE.getParent());
            if (LINES.size() == 1) {
                Files.deleteIfExists(FILE);
            }
            Files.writeString(
                    FILE, line + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }
}
