/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final List<String> NODES = List.of("A", "B", "C");
    private static final List<Harm> STORE_HARMS = List.of(Harm.KILL, Harm.FREEZE);

    private static List<PlannedHarm> schedule(long seed, int minutes) {
        return Schedule.of(seed, TTL, Duration.ofMinutes(minutes), NODES, "B", STORE_HARMS, true);
    }

    @Test
    void theSameSeedGivesTheSameAndAnotherOneDoesNot() {
        assertThat(schedule(7, 10)).isEqualTo(schedule(7, 10)).isNotEqualTo(schedule(8, 10));
    }

    @Test
    void aLongerRunBeginsLikeAShorterOne() {
        assertThat(schedule(7, 20)).containsAll(schedule(7, 10));
    }

    @Test
    void tenMinutesHaveEveryKindOfHarmForEveryLane() {
        List<PlannedHarm> harms = schedule(1, 10);

        assertThat(harms).extracting(PlannedHarm::harm).contains(Harm.values());
        assertThat(harms)
                .extracting(PlannedHarm::lane)
                .contains("process-A", "process-B", "process-C", "link-A", "link-B", "link-C", "clock-B", "store");
        assertThat(harms).hasSizeGreaterThan(150);
        assertThat(harms).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
    }

    @Test
    void harmsOfOneLaneDoNotOverlapAndLeaveTimeToRecover() {
        Map<String, List<PlannedHarm>> lanes =
                schedule(3, 30).stream().collect(Collectors.groupingBy(PlannedHarm::lane));

        lanes.values().forEach(lane -> {
            for (int i = 1; i < lane.size(); i++) {
                assertThat(lane.get(i).at())
                        .isGreaterThanOrEqualTo(lane.get(i - 1).until().plus(TTL));
            }
        });
    }

    @Test
    void harmsOfDifferentLanesFallTogetherSometimes() {
        List<PlannedHarm> harms = schedule(3, 30);

        assertThat(harms).anyMatch(one -> harms.stream()
                .anyMatch(other -> !one.lane().equals(other.lane())
                        && one.at().compareTo(other.at()) < 0
                        && other.at().compareTo(one.until()) < 0));
    }

    @Test
    void nodesAreNotHarmedInStep() {
        List<PlannedHarm> harms = schedule(1, 10);

        assertThat(harms.stream()
                        .filter(harm -> harm.lane().equals("process-A"))
                        .map(PlannedHarm::at))
                .doesNotContainAnyElementsOf(harms.stream()
                        .filter(harm -> harm.lane().equals("process-B"))
                        .map(PlannedHarm::at)
                        .toList());
    }

    @Test
    void aStoreThatForgetsStaysAwayForLongerThanALeaseLasts() {
        List<PlannedHarm> kills = schedule(5, 200).stream()
                .filter(harm -> harm.lane().equals(Schedule.STORE) && harm.harm() == Harm.KILL)
                .toList();

        assertThat(kills).hasSizeGreaterThan(50).allSatisfy(kill -> assertThat(kill.length())
                .isGreaterThan(TTL.multipliedBy(11).dividedBy(10)));
    }

    @Test
    void whatIsNotThereIsNotHarmed() {
        List<PlannedHarm> harms = Schedule.of(1, TTL, Duration.ofMinutes(10), NODES, "", List.of(), false);

        assertThat(harms)
                .extracting(PlannedHarm::lane)
                .noneMatch(lane -> lane.equals(Schedule.STORE) || lane.startsWith("clock"));
    }

    @Test
    void everyHarmHasAWordOfItsOwn() {
        assertThat(Arrays.stream(Harm.values()).map(Harm::word))
                .doesNotHaveDuplicates()
                .allMatch(word -> Harm.of(word).word().equals(word));
    }
}
