/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static final Duration TTL = Options.DEFAULT_TTL;

    private static final String RUN = """
            A started pid=1 now=1ms
            B started pid=2 now=2ms
            A granted token=1 now=10ms
            runner fed f1 now=11ms
            A begin f1 token=1 checked=20ms now=21ms
            runner kill A from=30ms now=31ms
            B granted token=2 now=3100ms
            B begin f1 token=2 checked=3130ms now=3140ms
            B end f1 token=2 checked=3130ms now=3160ms
            """;

    @Test
    void allFiguresAreInOneLine() {
        Outcome result = Result.ofFailover(Example.FILE_FAILOVER, LogText.history(RUN), TTL);

        assertThat(result.line())
                .isEqualTo("RESULT files=1 processed=1 lost=0 begun_twice=1 overlaps=0 takeover_kill_ms=3110"
                        + " takeover_pause_ms=none handover_ms=none tokens=ascending late_effects=0 left=0"
                        + " after_end=0 released_early=0 begun_late=0 late_unexplained=0 slowest_start_ms=0");
        assertThat(result.passed()).isTrue();
    }

    @Test
    void aMissingTakeoverIsNotPassed() {
        Outcome result = Result.ofFailover(
                Example.FILE_FAILOVER, LogText.history(RUN + "runner freeze B from=4000ms now=4001ms"), TTL);

        assertThat(result.complaints()).containsExactly("nobody took over after the B#1 FREEZE");
        assertThat(result.passed()).isFalse();
    }

    @Test
    void aTakeoverThatTakesTooLongIsNotPassed() {
        String late = RUN.replace("=3100ms", "=6500ms")
                .replace("=3130ms", "=6530ms")
                .replace("=3140ms", "=6540ms")
                .replace("=3160ms", "=6560ms");

        assertThat(Result.ofFailover(Example.FILE_FAILOVER, LogText.history(late), TTL)
                        .complaints())
                .containsExactly("the takeover after a kill took 6510 ms, and 6360 ms are allowed");
        assertThat(Result.ofFailover(
                                Example.FILE_FAILOVER,
                                LogText.history(late.replace("A started", "runner launch A now=0ms\nA started")
                                        .replace("pid=1 now=1ms", "pid=1 now=5ms")),
                                TTL)
                        .complaints())
                .as("a start of 5 ms is no sign of a busy machine")
                .hasSize(1);
        Outcome busy =
                Result.ofFailover(Example.FILE_FAILOVER, LogText.history("runner launch B now=-3300ms\n" + late), TTL);
        assertThat(busy.complaints()).isEmpty();
        assertThat(busy.line()).endsWith(" slowest_start_ms=3302");
    }

    @Test
    void anOutageHasFiguresOfItsOwn() {
        Outcome result = Result.ofOutage(Example.FILE_FAILOVER, LogText.history("""
                        A started pid=1 now=1ms
                        runner fed f1 now=11ms
                        A granted token=1 now=12ms
                        runner freeze store from=100ms now=101ms
                        runner thaw store from=10100ms now=10101ms
                        A granted token=2 now=10300ms
                        A begin f1 token=2 checked=10400ms now=10400ms
                        A end f1 token=2 checked=10400ms now=10420ms
                        """), Options.DEFAULT_TTL);

        assertThat(result.line())
                .isEqualTo("RESULT files=1 processed=1 lost=0 begun_twice=0 overlaps=0 outage_ms=10001"
                        + " last_begin_ms=none begun_without_lease=0 back_ms=300 handover_ms=none tokens=ascending"
                        + " late_effects=0 left=0 after_end=0 released_early=0 begun_late=0 late_unexplained=0"
                        + " slowest_start_ms=0");
        assertThat(result.passed()).isTrue();
    }
}
