/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.quartz.Children.Line;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are processes: killed, paused, with clocks of their own and a slow store. The system properties are for long runs. */
@Tag("case")
class ProcessFailoverTest {

    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
    private static final Duration AS_GOOD_AS_IN_TIME = Duration.ofMillis(200);

    @TempDir
    private Path home;

    /** The plain job and a route of the same times, each with a lease of its own. */
    @Test
    @Timeout(1800)
    void c81_neitherAStopNorAKillRightBeforeAFireLosesOrDoublesIt() throws Exception {
        int rounds = Integer.getInteger("lease.test.c81.rounds", 1);
        String[] settings = {"cron=0/5 * * * * ?", "missedFires=all", "route=true"};
        try (Children children = new Children(home)) {
            Set<Instant> mayBeReserved = new HashSet<>();
            Process holder = children.start("A", settings);
            Children.soon()
                    .until(() -> !children.lines("job").isEmpty()
                            && !children.lines("route").isEmpty());
            for (int round = 0; round < 2 * rounds; round++) {
                String next = round % 2 == 0 ? "B" : "A";
                Process successor = children.start(next, settings);
                Instant slot = nextSlot();
                awaitAlmost(slot);
                boolean isKilled = round % 4 >= 2;
                Children.signal(holder, isKilled ? "-KILL" : "-TERM");
                if (isKilled && !Instant.now().isBefore(slot)) {
                    // on a busy machine the kill may come later than it was meant to
                    mayBeReserved.add(slot);
                }
                long before = children.linesOf(next).size();
                Children.soon().until(() -> runsBoth(children, next, before));
                assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
                holder = successor;
            }
            assertThat(children.doubled()).isEmpty();
            for (String what : List.of("job", "route")) {
                assertThat(mayBeReserved)
                        .as("slots of the %s that nobody ran", what)
                        .containsAll(children.unexplained(what, FIVE_SECONDS));
            }
        }
    }

    private static Instant nextSlot() {
        long millis = FIVE_SECONDS.toMillis();
        return Instant.ofEpochMilli((System.currentTimeMillis() / millis + 1) * millis);
    }

    /** So near to the slot that nothing else can come before it, and far enough for none to be under way. */
    private static void awaitAlmost(Instant slot) {
        Children.soon().until(() -> !Instant.now().isBefore(slot.minusMillis(100)));
    }

    private static boolean runsBoth(Children children, String node, long before) {
        List<Line> later = children.linesOf(node).stream().skip(before).toList();
        return later.stream().anyMatch(line -> line.what().equals("job"))
                && later.stream().anyMatch(line -> line.what().equals("route"));
    }

    /** Whether the lease was lost meanwhile or not. */
    @ParameterizedTest
    @ValueSource(strings = {"2s", "10m"})
    @Timeout(600)
    void aNodeThatWasPausedCatchesUpWithOneSlotAtMost(String ttl) throws Exception {
        long seconds = Long.getLong("lease.test.pause.seconds", 8);
        try (Children children = new Children(home)) {
            Process node = children.start("A", "ttl=" + ttl);
            Children.soon().until(() -> children.lines().size() >= 2);
            Children.signal(node, "-STOP");
            Instant paused = Instant.now();
            Waiting.within(Duration.ofSeconds(seconds + 60))
                    .until(() -> Instant.now().isAfter(paused.plusSeconds(seconds)));
            Instant woken = Instant.now();
            Children.signal(node, "-CONT");
            Children.soon().until(() -> children.lines().stream()
                    .anyMatch(line -> line.slot().isAfter(woken.plusSeconds(3))));

            // what falls due as the node wakes is as good as in time
            Instant end = woken.minus(AS_GOOD_AS_IN_TIME);
            assertThat(children.lines().stream()
                            .filter(line ->
                                    line.slot().isAfter(paused) && line.slot().isBefore(end)))
                    .as("slots of the pause that were run, paused at %s, woken at %s", paused, woken)
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(children.doubled()).isEmpty();
        }
    }

    @Test
    @Timeout(600)
    void c88_noTickIsRunOnTwoNodesThoughTheirClocksDifferAndTheStoreIsSlow() throws Exception {
        long seconds = Long.getLong("lease.test.c88.seconds", 10);
        String[] settings = {"missedFires=all", "handOverMillis=2000"};
        try (Children children = new Children(home)) {
            children.slowness(0, 50);
            children.start("A", settings);
            children.start("B", FakeClock.ahead(Duration.ofMillis(300)), settings);
            Children.soon()
                    .until(() -> !children.linesOf("A").isEmpty()
                            && !children.linesOf("B").isEmpty());
            Instant until = Instant.now().plusSeconds(seconds);
            Waiting.within(Duration.ofSeconds(seconds + 60))
                    .until(() -> Instant.now().isAfter(until));

            assertThat(children.doubled()).isEmpty();
            assertThat(children.lines()).extracting(Line::token).isSorted();
            assertThat(children.unexplained("job", Duration.ofSeconds(1)))
                    .as("slots that nobody ran")
                    .isEmpty();
        }
    }

    /** With a ttl of 2 s a call of the store may take 0.2 s: it cannot be renewed at all. With 15 s it can. */
    @ParameterizedTest
    @ValueSource(strings = {"2s", "15s"})
    @Timeout(900)
    void c91_aLongJobRunsOnceAlthoughItsPeerIsKilledAndTheStoreIsSlow(String ttl) throws Exception {
        long seconds = Long.getLong("lease.test.c91.seconds", 6);
        String[] settings = {"ttl=" + ttl, "missedFires=all", "workMillis=" + 1000 * seconds};
        try (Children children = new Children(home)) {
            children.start("A", settings);
            Children.soon().until(() -> !children.lines().isEmpty());
            Line first = children.lines().get(0);
            children.slowness(1000, 1000);
            for (int restart = 0; restart < 3; restart++) {
                Process peer = children.start("B", settings);
                Waiting.stays(Duration.ofSeconds(seconds / 4), peer::isAlive);
                peer.destroyForcibly();
                assertThat(peer.waitFor(10, TimeUnit.SECONDS)).isTrue();
            }
            if (ttl.equals("15s")) {
                assertThat(children.linesOf("B")).isEmpty();
            }
            children.slowness(0, 0);
            Waiting.within(Duration.ofSeconds(3 * seconds + 90)).until(() -> children.linesOf("A").stream()
                    .anyMatch(line -> line.slot().isAfter(first.slot())));

            assertThat(children.lines().stream().filter(line -> line.slot().equals(first.slot())))
                    .hasSize(1);
            assertThat(children.doubled()).isEmpty();
        }
    }
}
