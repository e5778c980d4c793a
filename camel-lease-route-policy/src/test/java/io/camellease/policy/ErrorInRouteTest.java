/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.LeaseEvent;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A route runs out of stack or memory, and Camel ends its consumer. */
@CaseTest
class ErrorInRouteTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;

    @TempDir
    Path directory;

    private static Error error(boolean stack) {
        return stack ? new StackOverflowError("thrown on purpose") : new OutOfMemoryError("thrown on purpose");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherNodeRunsTheRouteThatAnErrorEnded(boolean stack) throws Exception {
        String route = "overflowing" + stack;
        AtomicInteger calls = new AtomicInteger();
        Node a = cluster.node("A").files(route, directory, () -> {
            if (calls.incrementAndGet() == 3) {
                throw error(stack);
            }
        });
        a.leases.setDrainTimeout("1s");
        a.context.getShutdownStrategy().setTimeout(1);
        Feeder.drop(directory, 0, 10);
        try (LogLines log = LogLines.open()) {
            a.start();
            soon().until(() -> calls.get() == 3);
            Node b = cluster.node("B").files(route, directory, () -> {}).start();

            soon().until(() -> journal.ended("B").size() == 8);
            assertThat(log.of(Level.ERROR, "'" + route + "'", "polls no more")).hasSize(1);
            assertThat(a.events(LeaseEvent.Draining.class)).hasSize(1);
            assertThat(calls).hasValue(3);
            journal.assertOneAfterTheOther("A", "B");
            assertThat(b.holds(route)).isTrue();
        }
    }

    /** A long poll is no dead poll. */
    @Test
    void aPollThatTakesLongKeepsItsLease() throws Exception {
        Node a = cluster.node("A").files("longPoll", directory, Brake.taking(2500));
        Feeder.drop(directory, 0, 2);
        a.start();

        soon().until(() -> journal.ended("A").size() == 2);
        assertThat(a.events(LeaseEvent.Draining.class)).isEmpty();
        assertThat(a.events(LeaseEvent.Granted.class)).hasSize(1);
    }
}
