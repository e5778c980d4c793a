/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Processes that were brought into step are out of it again one look later. */
class BeatTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(10));

    private static Moment at(long nanos) {
        return new Moment(nanos, nanos / 1_000_000);
    }

    private static Beat ofNewProcess() {
        return Beat.steady(HolderId.unique("node"), SETTINGS);
    }

    @Test
    void looksComeOnceInAnIntervalAtTheSameInstant() {
        Beat beat = ofNewProcess();
        long first = beat.next(at(-12_345));
        long looked = -12_345 + first;

        assertThat(first).isBetween(1L, SECOND);
        assertThat(beat.next(at(looked))).isEqualTo(SECOND);
        assertThat(beat.next(at(looked + 7))).isEqualTo(SECOND - 7);
        assertThat(beat.next(at(looked + 5 * SECOND - 1))).isEqualTo(1);
    }

    @Test
    void processesOfOneHostAndNameAreSpreadOverTheInterval() {
        int[] tenths = new int[10];
        IntStream.range(0, 10_000).forEach(i -> tenths[(int) ((ofNewProcess().next(at(0)) - 1) * 10 / SECOND)]++);

        assertThat(IntStream.of(tenths).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(800, 1200));
    }

    @Test
    void aWanderingBeatComesAtAnyInstantOfWhatKeepsTimeWithIt() {
        Beat beat = Beat.wandering(HolderId.unique("node"), SETTINGS);
        int[] tenths = new int[10];
        long now = 0;
        for (int i = 0; i < 10_000; i++) {
            long next = beat.next(at(now));
            assertThat(next).isBetween(SECOND / 2, SECOND);
            now += next;
            tenths[(int) (now % SECOND * 10 / SECOND)]++;
        }

        assertThat(IntStream.of(tenths).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(800, 1200));
    }

    @Test
    void processesDoNotWanderInStep() {
        long[] nexts = IntStream.range(0, 100)
                .mapToLong(
                        i -> Beat.wandering(HolderId.unique("node"), SETTINGS).next(at(0)))
                .distinct()
                .toArray();

        assertThat(nexts).hasSizeGreaterThan(95);
    }
}
