/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Work that lies about, in histories made by hand. With a ttl of 3 s it may wait for 6360 ms. */
class WaitsTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final String WORKS = """
            runner launch A from=0ms now=1ms
            runner launch B from=0ms now=1ms
            A started pid=1 now=2ms
            B started pid=2 now=2ms
            A granted orders token=1 now=10ms
            runner fed orders/f1 now=1000ms
            A begin orders/f1 token=1 checked=1010ms now=1011ms
            A done orders/f1 token=1 checked=1010ms now=1031ms
            """;

    private static String doneBy(String node, int token, int at) {
        return """
                %1$s granted orders token=%2$d now=%3$dms
                %1$s begin orders/f2 token=%2$d checked=%3$dms now=%3$dms
                %1$s done orders/f2 token=%2$d checked=%3$dms now=%3$dms
                """.formatted(node, token, at);
    }

    private static Waits waits(String text) {
        return Waits.of(LogText.history(WORKS + text), TTL);
    }

    private static Duration longest(Waits waits) {
        return Duration.ofNanos(waits.longest());
    }

    @Test
    void noWorkIsNoWait() {
        Waits waits = waits("runner over now=60000ms");

        assertThat(waits.stuck()).isEmpty();
        assertThat(longest(waits)).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void aTakeoverInTimeIsNotStuck() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                """ + doneBy("B", 2, 5200) + "runner over now=6000ms");

        assertThat(waits.stuck()).isEmpty();
        assertThat(longest(waits)).isEqualTo(Duration.ofMillis(3100));
    }

    @Test
    void aLeaseThatNobodyTakesOverIsStuck() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                """ + doneBy("B", 2, 8500) + "runner over now=9000ms");

        assertThat(waits.stuck())
                .singleElement()
                .asString()
                .startsWith("stuck: nobody worked under orders for 6400 ms")
                .contains("B#1");
    }

    @Test
    void aHolderThatIsWellAndDoesNotWorkIsStuck() {
        Waits waits = waits("""
                runner fed orders/f2 now=2000ms
                runner over now=20000ms
                """);

        assertThat(waits.stuck()).hasSize(2);
        assertThat(longest(waits)).isEqualTo(Duration.ofSeconds(18));
    }

    @Test
    void moreIsAllowedWhileANodeTakesLongToStart() {
        String slow = """
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                runner launch A from=2500ms now=2501ms
                A started pid=3 now=%dms
                """ + doneBy("B", 2, 8500) + "runner over now=9000ms";

        assertThat(waits(slow.formatted(5700)).stuck()).isEmpty();
        assertThat(waits(slow.formatted(5500)).stuck()).hasSize(1);
        assertThat(Duration.ofNanos(waits(slow.formatted(5500)).slowestStart())).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void nobodyIsBlamedWhileTheStoreIsAway() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner freeze store from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                runner thaw store from=20000ms now=20001ms
                """ + doneBy("B", 2, 22_000) + "runner over now=23000ms");

        assertThat(waits.stuck()).isEmpty();
        assertThat(longest(waits)).isEqualTo(Duration.ofMillis(1999));
    }

    @Test
    void aStoreThatCameBackEmptyIsNotTrustedForOneTtl() {
        String text = """
                runner kill A from=2000ms now=2001ms
                runner kill store from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                runner launch store empty=%s from=20000ms now=20001ms
                """ + doneBy("B", 2, 28_000) + "runner over now=29000ms";

        assertThat(waits(text.formatted("true")).stuck()).isEmpty();
        assertThat(waits(text.formatted("false")).stuck()).hasSize(1);
    }

    @Test
    void nobodyIsBlamedWhileNoNodeIsWell() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner link B harm=blackhole amount=0 from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                runner heal B from=20000ms now=20001ms
                """ + doneBy("B", 2, 22_000) + "runner over now=23000ms");

        assertThat(waits.stuck()).isEmpty();
    }

    @Test
    void aLostReplyAndAClockThatJumpsAreNoExcuse() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner link B harm=drop-reply amount=0 from=2000ms now=2001ms
                runner clock B amount=3600000 from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                runner over now=23000ms
                """);

        assertThat(waits.stuck()).hasSize(1);
    }

    @Test
    void aBusyMachineIsAnExcuseForItsProcessOnly() {
        String text = """
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                %s late from=5000ms now=5400ms
                """ + doneBy("B", 2, 9000) + "runner over now=11000ms";

        assertThat(waits(text.formatted("B")).stuck()).isEmpty();
        assertThat(waits(text.formatted("runner").replace("late", "late runner"))
                        .stuck())
                .isEmpty();
        assertThat(waits(text.formatted("A")).stuck()).hasSize(1);
    }

    @Test
    void theWaitBeginsAnewWhenTheNextHolderIsHarmed() {
        String nodeC = "runner launch C from=1031ms now=1031ms\nC started pid=3 now=1032ms\n";
        String text = nodeC + """
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                C granted orders token=2 now=6000ms
                runner kill C from=6010ms now=6011ms
                """ + doneBy("B", 3, 10_000) + "runner over now=11000ms";

        assertThat(waits(text).stuck()).isEmpty();
        assertThat(waits(text.replace("C granted orders token=2 now=6000ms\n", ""))
                        .stuck())
                .hasSize(1);
        assertThat(waits(text.replace("C granted orders token=2", "B seen orders holder=C token=2"))
                        .stuck())
                .isEmpty();
    }

    @Test
    void aGrantThatIsGivenUpWithoutAReasonDoesNotBeginTheWaitAnew() {
        Waits waits = waits("""
                runner kill A from=2000ms now=2001ms
                runner fed orders/f2 now=2100ms
                B granted orders token=2 now=6000ms
                B released orders token=2 now=6100ms
                """ + doneBy("B", 3, 10_000) + "runner over now=11000ms");

        assertThat(waits.stuck()).hasSize(1);
    }

    @Test
    void workThatIsToTakeLongIsNoWait() {
        String text = """
                A granted reports token=1 now=10ms
                runner fed reports/f2 now=2000ms
                A begin reports/f2 token=1 checked=2010ms now=2011ms
                A done reports/f2 token=1 checked=2010ms now=%dms
                runner over now=40000ms
                """;

        assertThat(longest(waits(text.formatted(9000)))).isEqualTo(Duration.ofMillis(10));
        assertThat(waits(text.formatted(20_000)).stuck()).hasSize(2);
    }

    @Test
    void workThatDoesNotEndIsAWait() {
        String text = """
                runner fed orders/f2 now=2000ms
                A begin orders/f2 token=1 checked=2010ms now=2011ms
                %s
                runner over now=14000ms
                """;

        assertThat(waits(text.formatted("")).stuck()).hasSize(2);
        assertThat(waits(text.formatted("A late from=3000ms now=7000ms")).stuck())
                .isEmpty();
    }

    @Test
    void workThatFailedIsAWaitFromThenOn() {
        Waits waits = waits("""
                runner fed orders/f2 now=2000ms
                A begin orders/f2 token=1 checked=2010ms now=2011ms
                A failed orders/f2 token=1 checked=2010ms now=2500ms
                runner over now=9000ms
                """);

        assertThat(waits.stuck()).hasSize(2);
        assertThat(longest(waits)).isEqualTo(Duration.ofMillis(6500));
    }

    @Test
    void workInAFrozenProcessOrAfterTheLossDoesNotCount() {
        String begun = """
                runner fed orders/f2 now=2000ms
                A begin orders/f2 token=1 checked=2010ms now=2011ms
                %s
                A done orders/f2 token=1 checked=2010ms now=19000ms
                runner over now=20000ms
                """;

        assertThat(waits(begun.formatted("runner freeze A from=2020ms now=2021ms"))
                        .stuck())
                .hasSize(1);
        assertThat(waits(begun.formatted("A lost orders token=1 reason=EXPIRED now=5000ms"))
                        .stuck())
                .hasSize(2);
    }

    @Test
    void aRouteWithoutFilesAlwaysHasWork() {
        Waits waits = Waits.of(LogText.history("""
                runner launch A from=0ms now=1ms
                A started pid=1 now=2ms
                A granted ticks token=1 now=10ms
                A begin ticks/1 token=1 checked=20ms now=21ms
                A done ticks/1 token=1 checked=20ms now=22ms
                runner over now=20000ms
                """), TTL);

        assertThat(waits.stuck()).hasSize(1);
    }
}
