/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TakeoversTest {

    private static final Duration TTL = Duration.ofSeconds(1);

    private static final String HELD = """
            runner launch A from=0ms now=1ms
            runner launch B from=0ms now=1ms
            A started pid=1 now=2ms
            B started pid=2 now=2ms
            A granted orders token=1 now=10ms
            A begin orders/f1 token=1 checked=1000ms now=1001ms
            A done orders/f1 token=1 checked=1000ms now=1020ms
            """;

    private static final String TAKEN = """
            B granted orders token=2 now=5000ms
            B begin orders/f2 token=2 checked=5010ms now=5011ms
            runner over now=6000ms
            """;

    private static Takeovers of(String text) {
        return Takeovers.of(LogText.history(HELD + text + TAKEN), TTL, List.of("orders"));
    }

    private static long millis(long count) {
        return Duration.ofMillis(count).toNanos();
    }

    @Test
    void eachKindOfHarmIsCountedApart() {
        assertThat(of("runner kill A from=2000ms now=2001ms\n").afterCrash()).containsExactly(millis(3010));
        assertThat(of("runner freeze A from=2000ms now=2001ms\n").afterCrash()).containsExactly(millis(3010));
        assertThat(of("runner link A harm=blackhole amount=0 from=2000ms now=2001ms\n")
                        .afterCut())
                .containsExactly(millis(3010));
        assertThat(of("runner stop A from=2000ms now=2001ms\nrunner gone A now=2500ms\n")
                        .handovers())
                .containsExactly(millis(3010));
    }

    @Test
    void itIsNotMeasuredIfTheStoreOrTheNextNodeWasHarmedToo() {
        String kill = "runner kill A from=2000ms now=2001ms\n";

        assertThat(of(kill + "runner freeze store from=2500ms now=2501ms\nrunner thaw store from=2600ms now=2601ms\n")
                        .afterCrash())
                .isEmpty();
        assertThat(of(kill + "runner freeze B from=2500ms now=2501ms\nrunner thaw B from=2600ms now=2601ms\n")
                        .afterCrash())
                .isEmpty();
    }

    @Test
    void itIsNotMeasuredIfTheHolderWasHarmedBefore() {
        String kill = "runner kill A from=2000ms now=2001ms\n";
        String cut = "runner link A harm=refuse amount=0 from=%s now=%s\nrunner heal A from=%s now=%s\n";

        assertThat(of(cut.formatted("1500ms", "1500ms", "1600ms", "1600ms") + kill)
                        .afterCrash())
                .isEmpty();
        assertThat(of(cut.formatted("500ms", "500ms", "600ms", "600ms") + kill).afterCrash())
                .hasSize(1);
    }

    @Test
    void aFrozenHolderWhoseLeaseWasTakenAlreadyIsNoHolder() {
        Takeovers takeovers = Takeovers.of(
                LogText.history(HELD + TAKEN.replace("runner over now=6000ms\n", "") + """
                        runner link A harm=blackhole amount=0 from=5500ms now=5501ms
                        runner over now=9000ms
                        """), TTL, List.of("orders"));

        assertThat(takeovers.afterCut()).isEmpty();
    }

    @Test
    void aFreezeAfterWhichTheHolderWorkedOnCausedNoTakeover() {
        Takeovers takeovers = of("""
                runner freeze A from=2000ms now=2001ms
                runner thaw A from=2100ms now=2101ms
                A begin orders/f9 token=1 checked=2200ms now=2201ms
                """);

        assertThat(takeovers.afterCrash()).isEmpty();
    }

    @Test
    void otherLeasesAndOtherNodesDoNotCount() {
        assertThat(of("runner kill B from=500ms now=501ms\nrunner launch B from=600ms now=601ms\n")
                        .afterCrash())
                .isEmpty();
        assertThat(Takeovers.of(
                                LogText.history(HELD + "runner kill A from=2000ms now=2001ms\n" + TAKEN),
                                TTL,
                                List.of("bills"))
                        .afterCrash())
                .isEmpty();
    }

    @Test
    void percentilesAreTakenFromTheTimesThemselves() {
        List<Long> times =
                LongStream.rangeClosed(1, 200).mapToObj(TakeoversTest::millis).toList();

        assertThat(Takeovers.percentile(times, 50)).isEqualTo("100");
        assertThat(Takeovers.percentile(times, 99)).isEqualTo("198");
        assertThat(Takeovers.percentile(times, 100)).isEqualTo("200");
        assertThat(Takeovers.percentile(List.of(millis(7)), 50)).isEqualTo("7");
        assertThat(Takeovers.percentile(List.of(), 50)).isEqualTo("none");
    }
}
