/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checker of what is asked of a source, on histories made by hand. */
class SourceVerdictTest {

    private static final String WORK_OF_A = """
            A started pid=1 now=1ms
            B started pid=2 now=2ms
            A begin m1 token=1 checked=20ms now=21ms
            A end m1 token=1 checked=20ms now=40ms
            A begin m2 token=1 checked=50ms now=51ms
            """;

    @Test
    void whatWasInWorkAtAKillComesAgainFirst() {
        SourceVerdict verdict = SourceVerdict.of(LogText.history(WORK_OF_A + """
                runner kill A from=60ms now=61ms
                B begin m2 token=2 checked=3010ms now=3011ms redelivered=true
                B end m2 token=2 checked=3010ms now=3030ms
                B begin m3 token=2 checked=3040ms now=3041ms
                """));

        assertThat(verdict.outOfOrder()).isEmpty();
        assertThat(verdict.redelivered()).isEqualTo(1);
        assertThat(verdict.complaintsOfOrder()).isEmpty();
        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void whatWasInWorkAtAKillAndComesAfterALaterOneIsOutOfOrder() {
        SourceVerdict verdict = SourceVerdict.of(LogText.history(WORK_OF_A + """
                runner kill A from=60ms now=61ms
                B begin m3 token=2 checked=3010ms now=3011ms
                B begin m2 token=2 checked=3040ms now=3041ms redelivered=true
                """));

        assertThat(verdict.outOfOrder()).extracting(Exchange::item).containsExactly("m2");
        assertThat(verdict.complaintsOfOrder()).containsExactly("B#1 began m2 after a later one");
    }

    @Test
    void whatIsLeftInInboxAndServerIsCounted() {
        SourceVerdict verdict =
                SourceVerdict.of(LogText.history("runner left count=1 now=5ms\nbroker left count=2 now=6ms"));

        assertThat(verdict.left()).isEqualTo(3);
        assertThat(verdict.complaints()).containsExactly("3 were worked on and are still there to work on");
    }

    @Test
    void aLoginThatIsRefusedAfterAStopIsCountedUntilTheSuccessorBegins() {
        SourceVerdict verdict = SourceVerdict.of(LogText.history(WORK_OF_A + """
                runner stop A from=60ms now=61ms
                A end m2 token=1 checked=50ms now=70ms
                ftp refused now=300ms
                B begin m3 token=2 checked=400ms now=401ms
                ftp refused now=500ms
                """));

        assertThat(verdict.refusedLogins()).isEqualTo(1);
    }

    @Test
    void aLoginMayBeRefusedWhileTheNodeThatHasOneIsFrozenAndWhenItWakes() {
        SourceVerdict verdict = SourceVerdict.of(LogText.history(WORK_OF_A + """
                runner freeze A from=60ms now=61ms
                ftp refused now=3000ms
                B begin m2 token=2 checked=3010ms now=3011ms
                runner thaw A from=9000ms now=9001ms
                ftp refused now=9100ms
                """));

        assertThat(verdict.refusedLogins()).isZero();
    }
}
