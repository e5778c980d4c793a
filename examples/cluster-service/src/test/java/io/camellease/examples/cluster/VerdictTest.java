/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories made by hand, good ones and bad ones; their times are milliseconds, the ttl is 5 s. */
class VerdictTest {

    private static final Duration TTL = Duration.ofSeconds(5);

    /** A leads from 1000 on, is killed at 10000, B takes over at 15000, is stopped at 20000, and A takes over at 21000. */
    private static final List<String> GOOD = List.of(
            "runner launch A 0",
            "runner launch B 0",
            "A leads # 1000",
            "A tick # 1000",
            "A tick # 10001",
            "runner kill A 10000 10002",
            "runner launch A 10003",
            "B leads # 15000",
            "B tick # 16000",
            "B tick # 20100",
            "B follows # 20500",
            "A leads # 20900",
            "A tick # 21000",
            "runner stop B 20000 21500");

    private static Outcome judge(List<String> events) {
        List<LogLine> lines = new ArrayList<>();
        for (String route : History.ROUTES) {
            for (String event : events) {
                if (event.contains("#") || route.equals(History.ROUTES.get(0))) {
                    lines.add(line(event.replace("#", route)));
                }
            }
        }
        // in the order of time, as in a real log
        lines.sort((a, b) -> Long.compare(a.now(), b.now()));
        return Verdict.of(History.of(lines), TTL);
    }

    private static LogLine line(String event) {
        String[] words = event.split(" ");
        String from = words.length == 5 ? " from=" + nanos(words[3]) : "";
        return LogLine.parse(
                words[0] + " " + words[1] + " " + words[2] + from + " now=" + nanos(words[words.length - 1]));
    }

    private static long nanos(String millis) {
        return Duration.ofMillis(Long.parseLong(millis)).toNanos();
    }

    private static List<String> changed(String from, String to) {
        assertThat(GOOD).contains(from);
        return GOOD.stream().map(event -> event.equals(from) ? to : event).toList();
    }

    @Test
    void oneLeaderAfterTheOtherIsWell() {
        Outcome verdict = judge(GOOD);

        assertThat(verdict.complaints()).isEmpty();
        assertThat(verdict.line())
                .isEqualTo("RESULT ticks=10 terms=6 leaders_at_once=0 overlaps=0"
                        + " takeover_kill_ms=by-master:6000,by-policy:6000 handover_ms=by-master:1000,by-policy:1000");
    }

    @Test
    void twoLeadersAtOnceAreWrong() {
        assertThat(judge(changed("B follows # 20500", "B follows # 20950")).complaints())
                .containsExactly(
                        "by-master: B#1 and A#2 led at the same time", "by-policy: B#1 and A#2 led at the same time");
    }

    @Test
    void workWithoutLeadingIsWrong() {
        assertThat(judge(changed("B tick # 20100", "B tick # 20950")).complaints())
                .containsExactly("by-master: B#1 worked while A#2 led", "by-policy: B#1 worked while A#2 led");
    }

    @Test
    void aTakeoverThatTakesTooLongIsWrong() {
        assertThat(judge(changed("B tick # 16000", "B tick # 18600")).complaints())
                .containsExactly(
                        "by-master after the kill of A#1: the next one worked after 8600 ms, not within 8500",
                        "by-policy after the kill of A#1: the next one worked after 8600 ms, not within 8500");
    }

    @Test
    void aHandOverThatTakesAsLongAsAnExpiryIsWrong() {
        assertThat(judge(changed("A tick # 21000", "A tick # 24400")).complaints())
                .containsExactly(
                        "by-master after the stop of B#1: the next one worked after 4400 ms, not within 4333",
                        "by-policy after the stop of B#1: the next one worked after 4400 ms, not within 4333");
    }

    @Test
    void aRouteThatNobodyGoesOnWithIsWrong() {
        assertThat(judge(GOOD.stream()
                                .filter(event -> !event.startsWith("A tick # 21"))
                                .toList())
                        .complaints())
                .containsExactly(
                        "by-master after the stop of B#1: nobody went on",
                        "by-policy after the stop of B#1: nobody went on");
        assertThat(judge(List.of()).complaints())
                .containsExactly("by-master: nobody worked", "by-policy: nobody worked");
    }
}
