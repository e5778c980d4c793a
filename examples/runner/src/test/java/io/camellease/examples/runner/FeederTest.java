/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeederTest {

    @TempDir
    private Path directory;

    @Test
    void handsInAtASteadyRateAndKeepsTwoTenthsForWhatComesLate() throws Exception {
        Path inbox = Files.createDirectory(directory.resolve("inbox"));
        try (RunnerLog log = new RunnerLog(directory.resolve("work.log"))) {
            Feeder feeder = new Feeder(inbox, Example.FILE_FAILOVER, 20, Duration.ofNanos(2000), log);

            feeder.tick(0);
            assertThat(feeder.fed()).isZero();

            feeder.begin(1000);
            feeder.tick(1000);
            feeder.tick(1099);
            assertThat(feeder.fed()).isEqualTo(1);
            feeder.tick(1250);
            assertThat(feeder.fed()).isEqualTo(3);
            feeder.tick(9000);
            assertThat(feeder.fed()).isEqualTo(16);

            feeder.more(9000);
            feeder.tick(9000);
            assertThat(feeder.fed()).isEqualTo(17);
            feeder.tick(9900);
            assertThat(feeder.fed()).isEqualTo(18);

            feeder.last(10_000);
            feeder.tick(10_000);
            assertThat(feeder.fed()).isEqualTo(19);
            feeder.tick(10_100);
            feeder.tick(99_000);
            assertThat(feeder.fed()).isEqualTo(20);
        }

        assertThat(names(inbox)).hasSize(20).allMatch(name -> name.matches("orders-\\d{6}\\.txt"));
        assertThat(WorkLogReader.all(directory.resolve("work.log"))).hasSize(20).allMatch(line -> line.is("fed"));
    }

    private static List<String> names(Path inbox) throws Exception {
        try (Stream<Path> files = Files.list(inbox)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
