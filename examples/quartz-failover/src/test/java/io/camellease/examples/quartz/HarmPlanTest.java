/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HarmPlanTest {

    private static List<PlannedHarm> six(long seed) {
        HarmPlan plan = new HarmPlan(seed, Duration.ofSeconds(3));
        return Stream.generate(plan::next).limit(6).toList();
    }

    @Test
    void theSameSeedGivesTheSameHarmAndAnotherOneAnother() {
        assertThat(six(1)).isEqualTo(six(1)).isNotEqualTo(six(2));
    }

    @Test
    void everyKindComesWithinSix() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(six(seed)).extracting(PlannedHarm::harm).contains(Harm.values());
        }
    }

    @Test
    void freezesAreShorterAndLongerThanALeaseLasts() {
        List<Duration> freezes = Stream.iterate(0, seed -> seed + 1)
                .limit(20)
                .flatMap(seed -> six(seed).stream())
                .filter(planned -> planned.harm() == Harm.FREEZE)
                .map(PlannedHarm::length)
                .toList();

        assertThat(freezes).anyMatch(length -> length.toMillis() < 2000).anyMatch(length -> length.toMillis() > 6000);
    }
}
