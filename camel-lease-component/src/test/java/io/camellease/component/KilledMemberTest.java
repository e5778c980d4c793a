/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was led, or locked, by a process that is killed goes to another one. */
class KilledMemberTest {

    private static final Duration TTL = Duration.ofSeconds(4);

    /** Camel starts what {@code master:} leads a second after it leads. */
    private static final Duration MASTER_DELAY = Duration.ofSeconds(1);

    /** For processes and looks that come late on a machine that is busy. */
    private static final Duration BUSY = Duration.ofSeconds(6);

    @TempDir
    Path home;

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final String store = server.bindAndGetConnectionString() + "/leases";
    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void end() {
        children.forEach(Process::destroyForcibly);
        server.shutdownNow();
    }

    private Process start(String label) throws IOException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-D" + ClusterChild.LABEL + "=" + label,
                        "-D" + ClusterChild.STORE + "=" + store,
                        "-D" + ClusterChild.JOURNAL + "=" + home.resolve("journal"),
                        "-D" + ClusterChild.TTL + "=" + TTL.toMillis(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClusterChild.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(label + ".log").toFile())
                .start();
        children.add(child);
        return child;
    }

    private static ConditionFactory inAnotherProcess() {
        return Awaitility.await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(90));
    }

    /** When a node did something, by the clock that all processes of a host share. */
    private List<Long> times(String label, String what) throws IOException {
        Path journal = home.resolve("journal");
        if (Files.notExists(journal)) {
            return List.of();
        }
        String begin = label + " " + what + " ";
        try (Stream<String> lines = Files.lines(journal)) {
            return lines.filter(line -> line.startsWith(begin))
                    .map(line -> Long.parseLong(line.substring(begin.length())))
                    .toList();
        }
    }

    private boolean does(String label, String what) throws IOException {
        return !times(label, what).isEmpty();
    }

    @Test
    void whatAKilledProcessLedOrLockedGoesToAnotherInTime() throws Exception {
        List<String> all = List.of("master", "policy", "lock");
        Process a = start("a");
        for (String what : all) {
            inAnotherProcess().until(() -> does("a", what));
        }
        start("b");
        inAnotherProcess().until(() -> does("b", "up"));
        for (String what : all) {
            assertThat(times("b", what)).as(what).isEmpty();
        }

        a.destroyForcibly().waitFor();
        long killedAt = System.nanoTime();

        for (String what : all) {
            inAnotherProcess().until(() -> does("b", what));
            Duration took = Duration.ofNanos(times("b", what).get(0) - killedAt);
            System.out.printf("Killed: '%s' goes on after %d ms; ttl %d ms%n", what, took.toMillis(), TTL.toMillis());
            assertThat(took)
                    .as(what)
                    .isLessThan(TTL.multipliedBy(11)
                            .dividedBy(10)
                            .plus(MASTER_DELAY)
                            .plus(BUSY));
            List<Long> atA = times("a", what);
            assertThat(atA.get(atA.size() - 1))
                    .as(what)
                    .isLessThan(times("b", what).get(0));
        }
    }
}
