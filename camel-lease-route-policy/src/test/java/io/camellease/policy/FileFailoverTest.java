/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@CaseTest
class FileFailoverTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    private Node node(String label) throws Exception {
        return cluster.node(label).files("orders", directory, () -> {});
    }

    @Test
    void theSecondNodeTakesOverWhenTheFirstIsStopped() throws Exception {
        Node a = node("A").start();
        soon().until(() -> a.holds("orders"));
        node("B").start();
        Feeder.drop(directory, 0, 10);
        soon().until(() -> cluster.journal.ended("A").size() == 10);

        a.close();
        Feeder.drop(directory, 10, 20);
        soon().until(() -> cluster.journal.ended("B").size() == 10);

        cluster.journal.assertOneAfterTheOther("A", "B");
        cluster.journal.assertEachOnce(20);
    }
}
