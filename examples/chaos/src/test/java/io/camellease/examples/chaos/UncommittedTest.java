/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.LogLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed node had deleted without having said so. */
class UncommittedTest {

    @TempDir
    private Path inbox;

    private Uncommitted uncommitted;

    @BeforeEach
    void feed() throws IOException {
        uncommitted = new Uncommitted(inbox);
        Files.createDirectories(inbox.resolve("orders"));
    }

    private void add(String... lines) {
        for (String line : lines) {
            uncommitted.add(LogLine.parse(line));
        }
    }

    private List<String> deletedBy(String node) {
        return uncommitted.deletedBy(node).stream().map(LogLine::subject).toList();
    }

    @Test
    void isWhatHasEndedAndIsNotThereAnyMore() throws IOException {
        Files.createFile(inbox.resolve("orders/f2"));
        add(
                "A end orders/f1 token=1 checked=1 now=2",
                "A end orders/f2 token=1 checked=3 now=4",
                "B end orders/f3 token=2 checked=5 now=6");

        assertThat(deletedBy("A")).containsExactly("orders/f1");
        assertThat(deletedBy("A")).isEmpty();
        assertThat(deletedBy("B")).containsExactly("orders/f3");
    }

    @Test
    void isNotWhatWasSaidToBeDoneOrHasNotEnded() {
        add(
                "A end orders/f1 token=1 checked=1 now=2",
                "A done orders/f1 token=1 checked=1 now=3",
                "A begin orders/f2 token=1 checked=4 now=5");

        assertThat(deletedBy("A")).isEmpty();
    }

    @Test
    void isNotWhatAnotherNodeHasBegunSince() {
        add("A end orders/f1 token=1 checked=1 now=2", "B begin orders/f1 token=2 checked=3 now=4");

        assertThat(deletedBy("A")).isEmpty();
    }

    @Test
    void isNoTickWhichHasNoFile() {
        add("A end ticks/x1 token=1 checked=1 now=2");

        assertThat(deletedBy("A")).isEmpty();
    }
}
