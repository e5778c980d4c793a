/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TakeoversTest {

    private static final String WORK_OF_A = """
            A started pid=1 now=1ms
            B started pid=2 now=2ms
            A granted token=1 now=10ms
            A begin f1 token=1 checked=50ms now=51ms
            """;

    @Test
    void aTakeoverLastsFromTheKillToTheFirstBeginOfTheSuccessor() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + """
                runner kill A from=60ms now=61ms
                B granted token=2 now=3000ms
                B begin f1 token=2 checked=3010ms now=3060ms
                B begin f2 token=2 checked=3110ms now=3160ms
                """));

        assertThat(takeovers.afterKill()).isEqualTo(millis(3000));
        assertThat(takeovers.afterFreeze()).isEmpty();
        assertThat(takeovers.missing()).isEmpty();
    }

    @Test
    void theSameNodeStartedAgainIsASuccessorToo() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + """
                runner kill A from=60ms now=61ms
                A started pid=3 now=1000ms
                A begin f1 token=2 checked=3010ms now=3060ms
                """));

        assertThat(takeovers.afterKill()).isEqualTo(millis(3000));
    }

    @Test
    void workThatAThawedNodeWritesLateIsNoTakeover() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + """
                runner freeze A from=60ms now=61ms
                runner thaw A from=9000ms now=9001ms
                A begin f2 token=1 checked=61ms now=9002ms
                """));

        assertThat(takeovers.afterFreeze()).isEmpty();
        assertThat(takeovers.missing()).containsExactly("nobody took over after the A#1 FREEZE");
    }

    @Test
    void aKillThatNobodyTakesOverAfterIsMissing() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + "runner kill A from=60ms now=61ms"));

        assertThat(takeovers.afterKill()).isEmpty();
        assertThat(takeovers.missing()).containsExactly("nobody took over after the A#1 KILL");
    }

    @Test
    void aHandoverLastsFromTheEndOfTheLastExchangeToTheNextGrant() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + """
                runner stop A from=60ms now=61ms
                A end f1 token=1 checked=50ms now=80ms
                A released token=1 now=85ms
                B granted token=2 now=200ms
                """));

        assertThat(takeovers.handover()).isEqualTo(millis(120));
    }

    @Test
    void aHandoverOfAnIdleNodeLastsFromItsStop() {
        Takeovers takeovers = Takeovers.of(LogText.history(WORK_OF_A + """
                A end f1 token=1 checked=50ms now=70ms
                runner stop A from=100ms now=101ms
                B granted token=2 now=200ms
                """));

        assertThat(takeovers.handover()).isEqualTo(millis(100));
    }

    @Test
    void aHandoverBeforeTheEndOfTheWorkIsWrongUnlessTheLeaseWasLost() {
        String text = """
                runner stop A from=60ms now=61ms
                B granted token=2 now=70ms
                A end f1 token=1 checked=50ms now=80ms
                """;

        assertThat(complaints(text))
                .containsExactly("another node was granted the lease 10 ms before A#1 had ended its work, though it had"
                        + " not lost it");
        assertThat(complaints("A lost token=1 reason=EXPIRED now=65ms\n" + text))
                .isEmpty();
    }

    @Test
    void aHandoverThatTakesAsLongAsALeaseLastsIsWrong() {
        String text = """
                A end f1 token=1 checked=50ms now=80ms
                runner stop A from=90ms now=91ms
                B granted token=2 now=%dms
                """;

        assertThat(complaints(text.formatted(3390))).isEmpty();
        assertThat(complaints(text.formatted(3391)))
                .containsExactly("the handover took 3301 ms, and 3300 ms are allowed");
    }

    @Test
    void aTakeoverAfterAFreezeThatTakesTooLongIsWrong() {
        assertThat(complaints("""
                runner freeze A from=60ms now=61ms
                B begin f1 token=2 checked=7000ms now=7001ms
                """))
                .containsExactly("the takeover after a freeze took 6941 ms, and 6360 ms are allowed");
    }

    private static List<String> complaints(String text) {
        return Takeovers.of(LogText.history(WORK_OF_A + text)).complaints(Options.DEFAULT_TTL, 0);
    }

    private static OptionalLong millis(long millis) {
        return OptionalLong.of(Duration.ofMillis(millis).toNanos());
    }
}
