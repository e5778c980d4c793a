/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a run ends, whatever is run. */
class SessionTest {

    private interface Deed {
        void done() throws InterruptedException;
    }

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Path directory = Path.of("none");

    private Session session(boolean keeps, Deed deed, String... complaints) throws IOException {
        Session.Play play = new Session.Play() {
            @Override
            public List<String> nodes() {
                return List.of("A");
            }

            @Override
            public void play(Workspace workspace) throws IOException, InterruptedException {
                directory = workspace.directory();
                Files.writeString(workspace.console("A"), "12:00 WARN  cannot reach the store\n", UTF_8);
                deed.done();
            }

            @Override
            public Outcome judge(Workspace workspace) {
                return new Outcome("RESULT x=1", List.of(complaints));
            }
        };
        return new Session(play, keeps, new PrintStream(printed, true, UTF_8));
    }

    private String text() {
        return printed.toString(UTF_8);
    }

    @Test
    void nothingIsLeftOfARunThatWasWell() throws Exception {
        assertThat(session(false, () -> {}).run().passed()).isTrue();

        assertThat(directory).doesNotExist();
        assertThat(text()).isEqualTo("RESULT x=1" + System.lineSeparator());
    }

    @Test
    void theDirectoryIsKeptIfAskedFor() throws Exception {
        assertThat(session(true, () -> {}).run().passed()).isTrue();

        assertKept();
        assertThat(text()).doesNotContain("WRONG");
    }

    @Test
    void theDirectoryIsKeptIfSomethingIsWrong() throws Exception {
        assertThat(session(false, () -> {}, "a was lost").run().passed()).isFalse();

        assertKept();
        assertThat(text()).contains("WRONG  a was lost");
    }

    private void assertKept() throws IOException {
        assertThat(directory).exists();
        assertThat(text()).contains("Kept: " + directory);
        new Workspace(directory).delete();
    }

    @Test
    void aRunThatWasGivenUpIsWrongAndTellsWhatItsNodesSaid() throws Exception {
        Outcome outcome = session(false, () -> {
                    throw new GivenUpException("it hangs");
                })
                .run();

        assertThat(outcome.complaints()).containsExactly("given up: it hangs");
        assertThat(text()).contains("A said:  12:00 WARN  cannot reach the store", "WRONG  given up: it hangs");
        new Workspace(directory).delete();
    }

    @Test
    void nothingIsLeftOfARunThatWasInterrupted() throws Exception {
        Session session = session(false, () -> {
            throw new InterruptedException();
        });

        assertThatThrownBy(session::run).isInstanceOf(InterruptedException.class);
        assertThat(directory).doesNotExist();
    }
}
