/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.camellease.testkit.InMemoryLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailoverTest {

    private final InMemoryLeaseStore store = new InMemoryLeaseStore();
    private final Journal journal = new Journal();

    @TempDir
    Path directory;

    private Node node(String label) throws Exception {
        return new Node(label, store, "2s").with(new RouteBuilder() {
            @Override
            public void configure() {
                from("file:" + directory + "?initialDelay=0&delay=20&delete=true")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .process(journal.note(label));
            }
        });
    }

    private void feed(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            Files.writeString(directory.resolve("f" + i + ".txt"), "x");
        }
    }

    @Test
    void theSecondNodeTakesOverWhenTheFirstIsStopped() throws Exception {
        try (Node a = node("A").start()) {
            await().atMost(Duration.ofSeconds(5)).until(a::holds);
            try (Node b = node("B").start()) {
                feed(0, 10);
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> journal.of("A", "end").size() == 10);
                assertThat(journal.of("B", "begin")).isEmpty();

                a.close();
                feed(10, 20);
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> journal.of("B", "end").size() == 10);
            }
        }

        assertThat(journal.files("begin")).doesNotHaveDuplicates().hasSize(20);
    }
}
