/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.ChildCluster.soon;
import static io.camellease.policy.Waiting.stays;

import io.camellease.core.LeaseRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A holder that burns more processor time in its routes than it gets. */
@CaseTest
@Timeout(600)
@EnabledOnOs(value = OS.LINUX, disabledReason = "taskset is there only")
class StarvedHolderTest {

    /** How long. */
    private static final int SECONDS = Integer.getInteger("lease.test.starved.seconds", 20);

    private static final Duration TTL = Duration.ofSeconds(2);

    @TempDir
    Path home;

    /** Freezes and thaws a process as the kernel does with one that has used up its quota: half of every 100 ms. */
    private static final class Quota implements AutoCloseable {
        private final ChildNode child;
        private final Process process;

        Quota(ChildNode child) throws IOException {
            this.child = child;
            // reading from a pipe in which nothing comes is a pause without a process of its own; it ends with this JVM
            String halfOfTheTime = "while kill -STOP $0; do read -t 0.05; [ $? -gt 128 ] || break; kill -CONT $0;"
                    + " read -t 0.05; [ $? -gt 128 ] || break; done; kill -CONT $0";
            process = new ProcessBuilder("bash", "-c", halfOfTheTime, Long.toString(child.pid())).start();
        }

        @Override
        public void close() {
            process.destroy();
            try {
                if (process.waitFor(10, TimeUnit.SECONDS) && child.isAlive()) {
                    child.thaw();
                }
            } catch (Exception failed) {
                throw new IllegalStateException("the quota could not be lifted", failed);
            }
        }
    }

    /** How long the record stood still at most, as far as this process saw. */
    private static final class RenewalGaps {
        private long seq = -1;
        private long token;
        private long changedAt = System.nanoTime();
        private long longest;
        private int tokens;

        boolean look(LeaseRecord record) {
            long now = System.nanoTime();
            if (record.token() != token) {
                token = record.token();
                tokens++;
                seq = record.seq();
                changedAt = now;
            } else if (record.seq() != seq) {
                longest = Math.max(longest, now - changedAt);
                seq = record.seq();
                changedAt = now;
            }
            return true;
        }

        Duration longest() {
            return Duration.ofNanos(longest);
        }
    }

    @Test
    void c20_aHolderThatIsShortOfProcessorTimeOverlapsWithNobody() throws Exception {
        try (ChildCluster children = new ChildCluster(home);
                Feeder feeder = Feeder.every(100, children.inbox())) {
            ChildNode a = children.start(
                    children.plan("A").set("burners", 16).set("workMillis", 5).by("taskset", "-c", "0"));
            soon().until(() -> children.begun("A").size() > 5
                    && !a.log("children/burn", "is granted").isEmpty());
            children.start(children.plan("B").set("workMillis", 5));
            RenewalGaps gaps = new RenewalGaps();
            try (Quota quota = new Quota(a)) {
                stays(Duration.ofSeconds(SECONDS), () -> gaps.look(children.record("orders")));
            }
            int files = feeder.stop();
            soon().until(() -> children.handled().size() == files);

            children.assertNoOverlap();
            Duration interval = TTL.dividedBy(3);
            System.out.printf(
                    "[lease figures] C20: ttl %s, half a processor, 16 busy threads, %d s: grants %d, largest renewal lateness"
                            + " %d ms%n",
                    TTL, SECONDS, gaps.tokens, gaps.longest().minus(interval).toMillis());
        }
    }
}
