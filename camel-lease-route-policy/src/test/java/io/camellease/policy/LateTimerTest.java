/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseThreads;
import io.camellease.core.LeaseTimer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A machine so busy that the timer thread is late. */
@CaseTest
class LateTimerTest {

    private static final Duration LATE = Duration.ofMillis(300);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    /** Runs everything late, in order. */
    private record LateTimer(LeaseTimer timer) implements LeaseTimer {

        @Override
        public void execute(Runnable task) {
            timer.schedule(task, LATE.toNanos());
        }

        @Override
        public Scheduled schedule(Runnable task, long delayNanos) {
            return timer.schedule(task, Math.max(0, delayNanos) + LATE.toNanos());
        }

        @Override
        public void close() {
            timer.close();
        }
    }

    @Test
    void aLeaseIsGivenBackThoughTheContextStopsFasterThanTheTimerRuns() throws Exception {
        Node a = cluster.node("A").ttl(Duration.ofSeconds(30)).files("orders", directory, () -> {});
        a.leases.leaseThreads = settings -> {
            LeaseThreads threads = LeaseThreads.system(settings);
            return new LeaseThreads(
                    threads.ticker(),
                    new LateTimer(threads.timer()),
                    threads.renewals(),
                    threads.claims(),
                    threads.events());
        };
        a.start();
        soon().until(() -> a.holds("orders"));

        a.close();

        assertThat(cluster.record(cluster.lease("orders")).released()).isTrue();
    }
}
