/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OutageTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final String BEFORE = """
            A started pid=1 now=1ms
            B started pid=2 now=2ms
            runner fed f1 now=5ms
            runner fed f2 now=5ms
            A granted token=1 now=10ms
            runner freeze store from=1000ms now=1010ms
            A begin f1 token=1 checked=3000ms now=3001ms
            A end f1 token=1 checked=3000ms now=3020ms
            """;

    private static final String AFTER = """
            runner thaw store from=11000ms now=11005ms
            B granted token=2 now=11200ms
            B begin f2 token=2 checked=11300ms now=11400ms
            B end f2 token=2 checked=11300ms now=11420ms
            """;

    @Test
    void whoStopsInTimeAndComesBackHasDoneNothingWrong() {
        Outage outage = Outage.of(LogText.history(BEFORE + AFTER), TTL).orElseThrow();

        assertThat(outage.complaints()).isEmpty();
        assertThat(outage.length()).isEqualTo(Duration.ofMillis(10_005).toNanos());
        assertThat(outage.lastBegin())
                .isEqualTo(OptionalLong.of(Duration.ofSeconds(2).toNanos()));
        assertThat(outage.back())
                .isEqualTo(OptionalLong.of(Duration.ofMillis(400).toNanos()));
    }

    @Test
    void workDuringTheOutageLaterThanATtlIsWorkWithoutALease() {
        Outage outage = Outage.of(
                        LogText.history(BEFORE + "A begin f2 token=1 checked=4011ms now=4012ms\n" + AFTER), TTL)
                .orElseThrow();

        assertThat(outage.withoutLease()).hasSize(1);
        assertThat(outage.complaints()).containsExactly("A#1 began f2 after the end of its lease, token 1");
    }

    @Test
    void workUnderTheOldTokenAfterTheOutageIsWorkWithoutALease() {
        Outage outage = Outage.of(
                        LogText.history(BEFORE + AFTER + "A begin f3 token=1 checked=12000ms now=12001ms"), TTL)
                .orElseThrow();

        assertThat(outage.withoutLease()).extracting(Exchange::item).containsExactly("f3");
    }

    @Test
    void noWorkAfterTheOutageIsWrong() {
        Outage outage = Outage.of(LogText.history(BEFORE + "runner thaw store from=11000ms now=11005ms"), TTL)
                .orElseThrow();

        assertThat(outage.complaints()).containsExactly("nobody worked again after the outage");
    }

    @Test
    void aRunWithoutAnOutageIsNotPassed() {
        Outcome result = Result.ofOutage(Example.FILE_FAILOVER, LogText.history("runner fed f1 now=1ms"), TTL);

        assertThat(result.complaints()).contains("there was no outage of the store");
    }
}
