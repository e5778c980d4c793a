/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.testkit.Fault;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A poll that has listed many files ends after the current one when the lease ends; another node does the rest. */
@CaseTest
class BatchTest {

    private static final int FILES = 200;

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final LeaseName lease = cluster.lease("orders");

    @TempDir
    Path directory;

    private Node node(String label, String options, int millis) throws Exception {
        return cluster.node(label).files("orders", directory, "delete=true&" + options, Brake.taking(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "moveFailed=failed",
                "greedy=true",
                "maxMessagesPerPoll=10",
                "maxMessagesPerPoll=10&greedy=true",
                "readLock=markerFile"
            })
    void c94_aLossInTheMiddleOfAListEndsItAfterTheCurrentFile(String options) throws Exception {
        Feeder.drop(directory, 0, FILES);
        Node a = node("A", options, 100).start();
        soon().until(() -> journal.begun("A").size() >= 5);
        Node b = node("B", options, 20).start();

        cluster.steal(lease, Duration.ofMillis(1500));
        soon().until(() -> !a.events(LeaseEvent.Lost.class).isEmpty());
        long lostAt = System.nanoTime();
        a.store.standing(Fault.lostRequest());
        soon().until(() -> journal.ended().size() == FILES);

        assertThat(journal.begun("A")).hasSizeLessThan(FILES / 2).allSatisfy(entry -> assertThat(entry.checkedAt())
                .isLessThan(lostAt));
        assertThat(a.refused.get() + b.refused.get()).isLessThanOrEqualTo(1);
        journal.assertOneAfterTheOther("A", "B");
        journal.assertEachOnce(FILES);
        assertThat(directory.toFile().list()).isEmpty();
    }
}
