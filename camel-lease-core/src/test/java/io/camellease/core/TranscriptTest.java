/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Stories of one lease, as files that a person can read: {@code src/test/resources/transcripts}. */
class TranscriptTest {

    @TestFactory
    List<DynamicTest> transcripts() throws IOException, URISyntaxException {
        Path folder = Path.of(
                Objects.requireNonNull(getClass().getResource("/transcripts")).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            List<DynamicTest> tests = files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)))
                    .toList();
            assertThat(tests).isNotEmpty();
            return tests;
        }
    }

    private static void check(Path file) throws IOException {
        String text = Files.readString(file);

        assertThat(Transcript.play(text)).isEqualTo(text);
    }
}
