/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker, on histories made by hand: one that is good, and one for each thing that can be wrong. */
class VerdictTest {

    private static final String GOOD = """
            A started pid=1 now=1ms
            B started pid=2 now=2ms
            A granted token=1 now=10ms
            runner fed f1 now=11ms
            A begin f1 token=1 checked=20ms now=21ms
            A end f1 token=1 checked=20ms now=40ms
            runner fed f2 now=41ms
            A begin f2 token=1 checked=50ms now=51ms
            """;

    private static final String KILL_AND_TAKEOVER = """
            runner kill A from=60ms now=61ms
            B granted token=2 now=3000ms
            B begin f2 token=2 checked=3010ms now=3011ms
            B end f2 token=2 checked=3010ms now=3030ms
            """;

    @Test
    void aGoodHistoryHasNothingWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL_AND_TAKEOVER));

        assertThat(verdict.complaints()).isEmpty();
        assertThat(verdict.files()).isEqualTo(2);
        assertThat(verdict.processed()).isEqualTo(2);
        assertThat(verdict.begunTwice()).containsExactly("f2");
        assertThat(verdict.tokensAscending()).isTrue();
        assertThat(verdict.lateEffects()).isZero();
    }

    @Test
    void anEmptyHistoryIsNotGood() {
        assertThat(Verdict.of(LogText.history("")).complaints()).containsExactly("nothing was handed in");
    }

    @Test
    void aFileWithoutAnEndIsLost() {
        Verdict verdict = Verdict.of(LogText.history(GOOD));

        assertThat(verdict.lost()).containsExactly("f2");
        assertThat(verdict.complaints()).containsExactly("never worked on to the end: f2");
    }

    @Test
    void aFileThatNobodyBeganIsLost() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL_AND_TAKEOVER + "runner fed f3 now=4000ms"));

        assertThat(verdict.lost()).containsExactly("f3");
    }

    @Test
    void anExchangeCheckedAfterTheFirstUnderALargerTokenIsAnOverlap() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL_AND_TAKEOVER + """
                runner fed f3 now=3031ms
                A begin f3 token=1 checked=3040ms now=3041ms
                A end f3 token=1 checked=3040ms now=3060ms
                """));

        assertThat(verdict.overlaps()).extracting(Exchange::item).containsExactly("f3");
        assertThat(verdict.complaints())
                .containsExactly("A#1 began f3 under token 1 after the first exchange under a larger one");
    }

    @Test
    void anOverlapIsFoundWhateverTheOrderOfTheLines() {
        Verdict verdict = Verdict.of(LogText.history("""
                A started pid=1 now=1ms
                B started pid=2 now=2ms
                runner fed f1 now=3ms
                runner fed f2 now=3ms
                A granted token=1 now=10ms
                A begin f1 token=1 checked=200ms now=201ms
                A end f1 token=1 checked=200ms now=202ms
                B granted token=2 now=203ms
                B begin f2 token=2 checked=100ms now=204ms
                B end f2 token=2 checked=100ms now=205ms
                """));

        assertThat(verdict.overlaps()).extracting(Exchange::item).containsExactly("f1");
    }

    @Test
    void workCheckedInTimeButWrittenAfterTheSuccessorBeganIsALateEffectAndNoOverlap() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner freeze A from=60ms now=61ms
                B granted token=2 now=3000ms
                B begin f2 token=2 checked=3010ms now=3011ms
                B end f2 token=2 checked=3010ms now=3030ms
                runner thaw A from=9000ms now=9001ms
                A end f2 token=1 checked=50ms now=9002ms
                """));

        assertThat(verdict.lateEffects()).isEqualTo(1);
        assertThat(verdict.overlaps()).isEmpty();
        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void aFileInFlightAtAFreezeMayBeBegunTwice() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner freeze A from=60ms now=61ms
                B begin f2 token=2 checked=3010ms now=3011ms
                B end f2 token=2 checked=3010ms now=3030ms
                """));

        assertThat(verdict.begunTwice()).containsExactly("f2");
        assertThat(verdict.notExcused()).isEmpty();
    }

    @Test
    void aFileThatWasNotInFlightMustNotBeBegunTwice() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL_AND_TAKEOVER + """
                B begin f1 token=2 checked=3040ms now=3041ms
                B end f1 token=2 checked=3040ms now=3060ms
                """));

        assertThat(verdict.begunTwice()).containsExactlyInAnyOrder("f1", "f2");
        assertThat(verdict.complaints()).containsExactly("begun more than once without a kill or freeze: f1");
    }

    @Test
    void aStopByRequestExcusesNothing() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A end f2 token=1 checked=50ms now=70ms
                runner stop A from=71ms now=72ms
                B granted token=2 now=100ms
                B begin f2 token=2 checked=110ms now=111ms
                B end f2 token=2 checked=110ms now=130ms
                """));

        assertThat(verdict.notExcused()).containsExactly("f2");
    }

    @Test
    void aSmallerTokenThanBeforeIsNotAscending() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL_AND_TAKEOVER + "A granted token=1 now=5000ms"));

        assertThat(verdict.tokensAscending()).isFalse();
        assertThat(verdict.complaints()).containsExactly("the tokens do not ascend from grant to grant");
    }

    @Test
    void oneTokenUsedByTwoNodesIsNotAscending() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A end f2 token=1 checked=50ms now=70ms
                runner fed f3 now=71ms
                B begin f3 token=1 checked=80ms now=81ms
                B end f3 token=1 checked=80ms now=90ms
                """));

        assertThat(verdict.tokensAscending()).isFalse();
    }

    @Test
    void oneTokenUsedByTwoStartsOfANodeIsNotAscending() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner kill A from=60ms now=61ms
                A started pid=3 now=500ms
                A begin f2 token=1 checked=600ms now=601ms
                A end f2 token=1 checked=600ms now=620ms
                """));

        assertThat(verdict.tokensAscending()).isFalse();
    }

    @Test
    void aLeaseGivenBackBeforeItsWorkEndedIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner stop A from=60ms now=61ms
                A released token=1 now=62ms
                B granted token=2 now=63ms
                B begin f3 token=2 checked=64ms now=65ms
                B end f3 token=2 checked=64ms now=66ms
                A end f2 token=1 checked=50ms now=70ms
                """));

        assertThat(verdict.overlaps()).isEmpty();
        assertThat(verdict.complaints())
                .containsExactly(
                        "A#1 gave the lease back before it had ended f2, token 1",
                        "A#1 ended f2 under token 1 after the first exchange under a larger one, though it ran and had"
                                + " not lost the lease");
    }

    @Test
    void anExchangeCheckedAfterItsNodeWasToldOfTheEndIsWrong() {
        for (String end : List.of("A lost token=1 reason=EXPIRED now=80ms", "A released token=1 now=80ms")) {
            Verdict verdict =
                    Verdict.of(LogText.history(GOOD + "A end f2 token=1 checked=50ms now=70ms\n" + end + """

                    runner fed f3 now=80ms
                    A begin f3 token=1 checked=81ms now=82ms
                    A end f3 token=1 checked=81ms now=85ms
                    """));

            assertThat(verdict.complaints())
                    .containsExactly("A#1 began f3 after it had been told that its grant is over, token 1");
        }
    }

    @Test
    void aLateEffectIsWrongUnlessItsProcessStoodStillOrLostTheLease() {
        String late = """
                %s
                B granted token=2 now=3000ms
                runner fed f3 now=3000ms
                B begin f3 token=2 checked=3010ms now=3011ms
                B end f3 token=2 checked=3010ms now=3031ms
                A end f2 token=1 checked=50ms now=3500ms
                """;

        assertThat(complaints(late.formatted(""))).hasSize(1);
        assertThat(complaints(late.formatted("runner freeze B from=60ms now=61ms\nrunner thaw B from=99ms now=99ms")))
                .hasSize(1);
        assertThat(complaints(
                        late.formatted("runner freeze A from=60ms now=61ms\nrunner thaw A from=3400ms now=3401ms")))
                .isEmpty();
        assertThat(complaints(late.formatted("A lost token=1 reason=EXPIRED now=2500ms")))
                .isEmpty();
        assertThat(complaints(late.formatted("") + "A lost token=1 reason=EXPIRED now=3600ms"))
                .as("told right after it had ended")
                .isEmpty();
    }

    @Test
    void aBeginLongAfterItsCheckIsWrongUnlessItsProcessStoodStill() {
        String late = """
                A end f2 token=1 checked=50ms now=70ms
                runner fed f3 now=80ms
                %s
                A begin f3 token=1 checked=100ms now=4000ms
                A end f3 token=1 checked=100ms now=4020ms
                """;

        assertThat(complaints(late.formatted("")))
                .containsExactly(
                        "A#1 began f3 3900 ms after the lease had been checked for it, though it ran, token 1");
        assertThat(complaints(
                        late.formatted("runner freeze A from=110ms now=111ms\nrunner thaw A from=3900ms now=3901ms")))
                .isEmpty();
        assertThat(complaints(late.formatted("").replace("checked=100ms", "checked=3200ms")))
                .as("a busy machine")
                .isEmpty();
    }

    private static List<String> complaints(String text) {
        return Verdict.of(LogText.history(GOOD + text)).complaints();
    }
}
