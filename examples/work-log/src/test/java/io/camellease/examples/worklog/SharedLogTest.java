/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.worklog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SharedLogTest {

    @TempDir
    private Path directory;

    @AfterEach
    void forgetTheInterrupt() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void anInterruptedThreadWritesItsLineAndTheLogStaysOpen() throws Exception {
        Path file = directory.resolve("work.log");
        SharedLog log = new SharedLog(file.toString(), "A");

        Thread.currentThread().interrupt();
        log.append("first at=1");
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        log.append("second at=2");

        assertThat(Files.readAllLines(file)).containsExactly("A first at=1", "A second at=2");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLineThatCannotBeWrittenIsTold() {
        List<IOException> told = new ArrayList<>();
        SharedLog log = new SharedLog("/dev/full", "A", told::add);

        log.write("begin f1");

        assertThat(told).hasSize(1);
    }

    @Test
    void severalLogsAppendToOneFile() throws Exception {
        Path file = directory.resolve("work.log");
        SharedLog a = new SharedLog(file.toString(), "A");
        SharedLog b = new SharedLog(file.toString(), "B");

        a.append("first at=1");
        b.append("second at=2");
        a.append("third at=3");

        assertThat(Files.readAllLines(file)).containsExactly("A first at=1", "B second at=2", "A third at=3");
    }
}
