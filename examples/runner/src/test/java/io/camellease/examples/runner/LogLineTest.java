/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLineTest {

    @Test
    void aLineHasNodeEventSubjectAndValues() {
        LogLine line = LogLine.parse("A begin orders-000012.txt token=3 checked=40 now=50");

        assertThat(line.node()).isEqualTo("A");
        assertThat(line.event()).isEqualTo("begin");
        assertThat(line.subject()).isEqualTo("orders-000012.txt");
        assertThat(line.token()).isEqualTo(3);
        assertThat(line.number("checked")).isEqualTo(40);
        assertThat(line.now()).isEqualTo(50);
    }

    @Test
    void aLineMayHaveNoSubject() {
        LogLine line = LogLine.parse("B lost token=3 reason=EXPIRED now=50");

        assertThat(line.subject()).isEmpty();
        assertThat(line.values()).containsEntry("reason", "EXPIRED");
    }

    @Test
    void anythingElseIsRefusedAndQuoted() {
        assertThatThrownBy(() -> LogLine.parse("A begin")).hasMessageContaining("'A begin'");
        assertThatThrownBy(() -> LogLine.parse("A begin f1 token=1 now"))
                .hasMessageContaining("'now' is not key=value");
        assertThatThrownBy(() -> LogLine.parse("A granted now=5").token()).hasMessageContaining("no token");
    }

    @Test
    void aLineThatIsNotCompleteYetIsReadWhenItIs(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("work.log");
        WorkLogReader reader = new WorkLogReader(log);
        assertThat(reader.readNew()).isEmpty();

        Files.writeString(log, "A started pid=1 now=5\nA granted tok");
        assertThat(reader.readNew()).extracting(LogLine::event).containsExactly("started");

        Files.writeString(log, "en=1 now=6\n", StandardOpenOption.APPEND);
        assertThat(reader.readNew()).extracting(LogLine::token).containsExactly(1L);
        assertThat(reader.readNew()).isEmpty();
    }
}
