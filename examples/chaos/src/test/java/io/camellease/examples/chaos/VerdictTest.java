/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker, on histories made by hand: one that is good, and one for each thing that can be wrong. */
class VerdictTest {

    private static final String NODES = """
            runner launch A from=0ms now=1ms
            runner launch B from=0ms now=1ms
            A started pid=1 now=2ms
            B started pid=2 now=2ms
            """;

    private static final String GOOD = NODES + """
            A granted orders token=1 now=10ms
            A granted bills token=7 now=10ms
            runner fed orders/f1 now=11ms
            A begin orders/f1 token=1 checked=20ms now=21ms
            A end orders/f1 token=1 checked=20ms now=40ms
            A done orders/f1 token=1 checked=20ms now=41ms
            runner fed orders/f2 now=41ms
            A begin orders/f2 token=1 checked=50ms now=51ms
            """;

    private static final String KILL = "runner kill A from=60ms now=61ms\n";

    private static final String TAKEOVER = """
            B granted orders token=2 now=3000ms
            B begin orders/f2 token=2 checked=3010ms now=3011ms
            B end orders/f2 token=2 checked=3010ms now=3030ms
            B done orders/f2 token=2 checked=3010ms now=3031ms
            """;

    @Test
    void aGoodHistoryHasNothingWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + TAKEOVER));

        assertThat(verdict.complaints()).isEmpty();
        assertThat(verdict.begunTwice()).containsExactly("orders/f2");
        assertThat(verdict.lateEffects()).isZero();
    }

    @Test
    void aFileThatNobodyDidIsLost() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL));

        assertThat(verdict.lost()).containsExactly("orders/f2");
        assertThat(verdict.complaints()).containsExactly("lost: orders/f2 was never done");
    }

    @Test
    void aFileWhoseWorkEndedButWhoseSourceDidNotCommitIsLost() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + "A end orders/f2 token=1 checked=50ms now=70ms"));

        assertThat(verdict.lost()).containsExactly("orders/f2");
    }

    @Test
    void aFileThatWasDeletedRightBeforeItsNodeWasKilledIsNotLost() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A end orders/f2 token=1 checked=50ms now=70ms
                runner kill A from=71ms now=72ms
                runner committed orders/f2 node=A checked=50ms now=80ms
                """));

        assertThat(verdict.lost()).isEmpty();
        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void anExchangeLetInAfterTheFirstUnderALargerTokenIsAnOverlap() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + "runner freeze A from=60ms now=61ms\n" + TAKEOVER + """
                runner thaw A from=3100ms now=3100ms
                runner fed orders/f3 now=3100ms
                A begin orders/f3 token=1 checked=3110ms now=3111ms
                A end orders/f3 token=1 checked=3110ms now=3130ms
                A done orders/f3 token=1 checked=3110ms now=3131ms
                """));

        assertThat(verdict.overlaps()).extracting(Work::item).containsExactly("orders/f3");
        assertThat(verdict.complaints()).singleElement().asString().startsWith("overlap: orders/f3 on A#1, token 1");
    }

    @Test
    void anOverlapIsFoundWhateverTheOrderOfTheLines() {
        Verdict verdict = Verdict.of(LogText.history(NODES + """
                A granted orders token=1 now=10ms
                B granted orders token=2 now=11ms
                A begin orders/f1 token=1 checked=200ms now=201ms
                B begin orders/f2 token=2 checked=100ms now=204ms
                """));

        assertThat(verdict.overlaps()).extracting(Work::item).containsExactly("orders/f1");
    }

    @Test
    void exchangesUnderDifferentLeasesDoNotOverlap() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + TAKEOVER + """
                B granted bills token=8 now=3000ms
                runner launch A from=3100ms now=3101ms
                A started pid=3 now=3200ms
                A granted other token=1 now=3210ms
                A begin other/x token=1 checked=3220ms now=3221ms
                """));

        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void workLetInInTimeButWrittenAfterTheSuccessorBeganIsALateEffectAndNoOverlap() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + "runner freeze A from=60ms now=61ms\n" + TAKEOVER + """
                runner thaw A from=9000ms now=9001ms
                A end orders/f2 token=1 checked=50ms now=9002ms
                A done orders/f2 token=1 checked=50ms now=9003ms
                A lost orders token=1 reason=EXPIRED now=9004ms
                """));

        assertThat(verdict.lateEffects()).isEqualTo(1);
        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void anExchangeLetInAfterItsNodeWasToldOfTheEndIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A done orders/f2 token=1 checked=50ms now=70ms
                A lost orders token=1 reason=EXPIRED now=80ms
                A begin orders/f3 token=1 checked=81ms now=82ms
                """));

        assertThat(verdict.afterEnd()).extracting(Work::item).containsExactly("orders/f3");
        assertThat(verdict.complaints()).singleElement().asString().startsWith("begun after the end: orders/f3");
    }

    @Test
    void anExchangeLetInAfterTheLeaseWasGivenBackIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A end orders/f2 token=1 checked=50ms now=70ms
                A done orders/f2 token=1 checked=50ms now=70ms
                A released orders token=1 now=80ms
                A begin orders/f3 token=1 checked=81ms now=82ms
                """));

        assertThat(verdict.afterEnd()).hasSize(1);
    }

    @Test
    void aLeaseGivenBackBeforeItsWorkEndedIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A released orders token=1 now=60ms
                A end orders/f2 token=1 checked=50ms now=70ms
                A done orders/f2 token=1 checked=50ms now=70ms
                """));

        assertThat(verdict.releasedEarly()).extracting(Work::item).containsExactly("orders/f2");
        assertThat(verdict.complaints()).singleElement().asString().startsWith("released early: orders/f2");
    }

    @Test
    void aFileInFlightAtAFreezeMayBeBegunTwice() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + "runner freeze A from=60ms now=61ms\n" + TAKEOVER));

        assertThat(verdict.begunTwice()).containsExactly("orders/f2");
        assertThat(verdict.notExcused()).isEmpty();
    }

    @Test
    void aFileInFlightWhenTheLeaseWasLostMayBeBegunTwice() {
        Verdict verdict =
                Verdict.of(LogText.history(GOOD + "A lost orders token=1 reason=EXPIRED now=2900ms\n" + TAKEOVER));

        assertThat(verdict.notExcused()).isEmpty();
    }

    @Test
    void aFileMayHaveBeenListedBeforeAFrozenNodeWokeAndDeletedIt() {
        String again = """
                B granted orders token=2 now=%s
                runner thaw A from=3000ms now=3000ms
                A end orders/f2 token=1 checked=50ms now=3001ms
                A done orders/f2 token=1 checked=50ms now=3002ms
                B begin orders/f2 token=2 checked=3010ms now=3011ms
                """;
        String frozen = GOOD + "runner freeze A from=60ms now=61ms\n";

        assertThat(Verdict.of(LogText.history(frozen + again.formatted("2950ms")))
                        .notExcused())
                .isEmpty();
        assertThat(Verdict.of(LogText.history(frozen + again.formatted("3003ms")))
                        .notExcused())
                .hasSize(1);
        assertThat(Verdict.of(LogText.history(GOOD + again.formatted("2950ms"))).notExcused())
                .as("without a freeze")
                .hasSize(1);
    }

    @Test
    void aLossUnderAnotherLeaseExcusesNothing() {
        Verdict verdict =
                Verdict.of(LogText.history(GOOD + "A lost bills token=7 reason=EXPIRED now=2900ms\n" + TAKEOVER));

        assertThat(verdict.notExcused()).extracting(Work::item).containsExactly("orders/f2");
    }

    @Test
    void aFileThatWasDoneMustNotBeBegunAgain() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + TAKEOVER + """
                B begin orders/f1 token=2 checked=3040ms now=3041ms
                B end orders/f1 token=2 checked=3040ms now=3060ms
                """));

        assertThat(verdict.begunTwice()).containsExactlyInAnyOrder("orders/f1", "orders/f2");
        assertThat(verdict.notExcused()).extracting(Work::item).containsExactly("orders/f1");
        assertThat(verdict.complaints()).singleElement().asString().startsWith("begun twice: orders/f1 on B#1");
    }

    @Test
    void aKillOfAnotherNodeExcusesNothing() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner kill B from=60ms now=61ms
                A begin orders/f2 token=1 checked=90ms now=91ms
                A done orders/f2 token=1 checked=90ms now=95ms
                """));

        assertThat(verdict.notExcused()).extracting(Work::item).containsExactly("orders/f2");
    }

    @Test
    void aKillAfterTheSecondBeginExcusesNothing() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A begin orders/f2 token=1 checked=90ms now=91ms
                A done orders/f2 token=1 checked=90ms now=95ms
                runner kill A from=100ms now=101ms
                """));

        assertThat(verdict.notExcused()).hasSize(1);
    }

    @Test
    void aStopByRequestExcusesNothing() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                runner stop A from=60ms now=61ms
                A end orders/f2 token=1 checked=50ms now=70ms
                A released orders token=1 now=71ms
                runner gone A now=80ms
                """ + TAKEOVER));

        assertThat(verdict.notExcused()).extracting(Work::item).containsExactly("orders/f2");
    }

    @Test
    void aSmallerTokenThanBeforeIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + TAKEOVER + "B granted bills token=6 now=5000ms"));

        assertThat(verdict.tokenFaults())
                .containsExactly("token order: bills was granted to B#1 under token 6, after 7");
        assertThat(verdict.complaints()).hasSize(1);
    }

    @Test
    void theSameTokenTwiceForOneHolderIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + TAKEOVER + """
                runner launch A from=3100ms now=3101ms
                A started pid=3 now=3200ms
                A granted orders token=2 now=3300ms
                """));

        assertThat(verdict.tokenFaults()).hasSize(2).anyMatch(fault -> fault.startsWith("two holders: token 2"));
    }

    @Test
    void aNodeThatWasFrozenMayTellOfItsGrantLate() {
        String late = "A granted orders token=1 now=5000ms\n";
        String frozen = "runner freeze A from=60ms now=61ms\n";
        String takeover = "B granted orders token=2 now=3000ms\n";

        assertThat(Verdict.of(LogText.history(
                                NODES + frozen + takeover + "runner thaw A from=4999ms now=4999ms\n" + late))
                        .tokenFaults())
                .isEmpty();
        assertThat(Verdict.of(LogText.history(NODES + takeover + late)).tokenFaults())
                .hasSize(1);
    }

    @Test
    void oneTokenUsedByTwoNodesIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + """
                A done orders/f2 token=1 checked=50ms now=70ms
                B begin orders/f3 token=1 checked=80ms now=81ms
                """));

        assertThat(verdict.tokenFaults()).containsExactly("two holders: token 1 of orders was used by A#1 and B#1");
    }

    @Test
    void oneTokenUsedByTwoStartsOfANodeIsWrong() {
        Verdict verdict = Verdict.of(LogText.history(GOOD + KILL + """
                runner launch A from=400ms now=401ms
                A started pid=3 now=500ms
                A begin orders/f2 token=1 checked=600ms now=601ms
                A done orders/f2 token=1 checked=600ms now=620ms
                """));

        assertThat(verdict.tokenFaults()).containsExactly("two holders: token 1 of orders was used by A#1 and A#2");
    }

    @Test
    void aBeginLongAfterItsCheckIsWrongUnlessItsProcessStoodStill() {
        String late = """
                A done orders/f2 token=1 checked=50ms now=70ms
                %s
                B granted bills token=8 now=2990ms
                A begin orders/f3 token=1 checked=100ms now=4000ms
                A done orders/f3 token=1 checked=100ms now=4020ms
                """;

        assertThat(complaints(late.formatted("")))
                .singleElement()
                .asString()
                .startsWith("begun late: orders/f3 on A#1")
                .contains("3900 ms");
        assertThat(complaints(late.formatted("B late from=110ms now=3900ms"))).hasSize(1);
        assertThat(complaints(late.formatted("A late from=110ms now=3900ms"))).isEmpty();
        assertThat(complaints(
                        late.formatted("runner freeze A from=110ms now=111ms\nrunner thaw A from=3900ms now=3901ms")))
                .isEmpty();
        assertThat(complaints(late.formatted("").replace("checked=100ms", "checked=3200ms")))
                .as("a busy machine")
                .isEmpty();
    }

    @Test
    void aProcessThatWasSlowToStartMayBeSlowToBegin() {
        String late = """
                runner launch C from=10ms now=11ms
                C started pid=1 now=%s
                C granted more token=1 now=20000ms
                C begin more/f1 token=1 checked=20010ms now=23000ms
                """;

        assertThat(complaints("A done orders/f2 token=1 checked=50ms now=70ms\n" + late.formatted("19000ms")))
                .isEmpty();
        assertThat(complaints("A done orders/f2 token=1 checked=50ms now=70ms\n" + late.formatted("3000ms")))
                .hasSize(1);
    }

    @Test
    void aLateEffectIsWrongUnlessItsProcessStoodStillOrLostTheLease() {
        String late = """
                %s
                B granted orders token=2 now=3000ms
                B begin orders/f3 token=2 checked=3010ms now=3011ms
                B done orders/f3 token=2 checked=3010ms now=3031ms
                A end orders/f2 token=1 checked=50ms now=4000ms
                A done orders/f2 token=1 checked=50ms now=4001ms
                """;

        assertThat(complaints(late.formatted("")))
                .singleElement()
                .asString()
                .startsWith("late effect: orders/f2 on A#1");
        assertThat(complaints(late.formatted("A lost bills token=7 reason=EXPIRED now=2500ms")))
                .hasSize(1);
        assertThat(complaints(late.formatted("A lost orders token=1 reason=EXPIRED now=2500ms")))
                .isEmpty();
        assertThat(complaints(late.formatted("A late from=60ms now=3900ms"))).isEmpty();
        assertThat(complaints(late.formatted("") + "A lost orders token=1 reason=EXPIRED now=4100ms"))
                .as("told right after it had ended")
                .isEmpty();
        assertThat(complaints(late.formatted("") + "runner kill A from=4100ms now=4101ms"))
                .as("killed before it could tell")
                .isEmpty();
    }

    @Test
    void workThatHadFailedWasNotCutOffByALaterKill() {
        String failed = "A failed orders/f2 token=1 checked=50ms now=%s\n";

        assertThat(Verdict.of(LogText.history(GOOD + failed.formatted("55ms") + KILL + TAKEOVER))
                        .notExcused())
                .extracting(Work::item)
                .containsExactly("orders/f2");
        assertThat(Verdict.of(LogText.history(
                                GOOD + KILL.replace("60ms", "53ms") + failed.formatted("55ms") + TAKEOVER))
                        .notExcused())
                .isEmpty();
    }

    private static List<String> complaints(String text) {
        return Verdict.of(LogText.history(GOOD + text)).complaints().stream()
                .filter(complaint -> !complaint.startsWith("lost: "))
                .toList();
    }
}
