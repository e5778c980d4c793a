/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnTest {

    private static final HolderId A = new HolderId("A#1");
    private static final HolderId B = new HolderId("B#2");
    private static final HolderId C = new HolderId("C#3");

    private static List<Vacant> vacant(int count, Standing standing) {
        return vacant(count, standing, Share.even(), Optional.empty(), false);
    }

    private static List<Vacant> vacant(
            int count, Standing standing, Share share, Optional<HolderId> heldBy, boolean expired) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        new Vacant(new LeaseName("lease-" + i), share, heldBy, heldBy, expired, standing.floor(), 0))
                .toList();
    }

    private static List<Turn> expired(int count, Standing standing) {
        return Turn.of(standing, vacant(count, standing, Share.even(), Optional.of(C), true));
    }

    private static List<Integer> eighths(List<Turn> turns) {
        return turns.stream().map(Turn::eighths).toList();
    }

    private static Map<Integer, Long> countByEighths(List<Turn> turns) {
        return turns.stream().collect(Collectors.groupingBy(Turn::eighths, Collectors.counting()));
    }

    @Test
    void aSingleLeaseDoesNotWaitWhateverElseTheNodeHas() {
        Standing nothing = new Standing(A, 1, 0, 0, Map.of());
        Standing much = new Standing(A, 61, 60, 0, Map.of());

        assertThat(eighths(Turn.of(nothing, vacant(1, nothing)))).containsExactly(0);
        assertThat(eighths(Turn.of(much, vacant(1, much)))).containsExactly(0);
    }

    @Test
    void aNodeAloneClaimsStepByStepWithinOneClaimInterval() {
        Standing alone = new Standing(A, 60, 0, 0, Map.of());

        assertThat(countByEighths(Turn.of(alone, vacant(60, alone))))
                .containsOnlyKeys(0, 1, 2, 3, 4, 5, 6, 7)
                .allSatisfy((eighths, count) -> assertThat(count).isBetween(7L, 8L));
    }

    @Test
    void aNodeThatTakesOverFromADeadOneAloneHardlyWaits() {
        Standing alone = new Standing(A, 60, 30, 0, Map.of());

        assertThat(eighths(expired(30, alone))).allMatch(eighths -> eighths <= 1);
    }

    @Test
    void twoThatHaveTheSameClaimTogether() {
        Standing a = new Standing(A, 60, 20, 0, Map.of(B, 20));
        Standing b = new Standing(B, 60, 20, 0, Map.of(A, 20));

        assertThat(countByEighths(expired(20, a)))
                .isEqualTo(Map.of(0, 3L, 1, 7L, 2, 5L, 3, 5L))
                .isEqualTo(countByEighths(expired(20, b)));
        assertThat(firstNames(expired(20, a)))
                .as("not the same ones")
                .doesNotContainAnyElementsOf(firstNames(expired(20, b)));
    }

    private static Set<String> firstNames(List<Turn> turns) {
        return turns.stream()
                .filter(turn -> turn.eighths() == 0)
                .map(turn -> turn.lease().name().value())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void whoHasFewerClaimsAtOnceUntilItHasAsMuch() {
        Standing few = new Standing(A, 60, 5, 0, Map.of(B, 20, C, 15));
        Standing many = new Standing(B, 60, 20, 0, Map.of(A, 5, C, 15));

        assertThat(eighths(expired(10, few))).containsOnly(0);
        assertThat(eighths(expired(10, many))).allMatch(eighths -> eighths >= 2);
    }

    @Test
    void nobodyWaitsLongerThanOneClaimInterval() {
        for (int held = 0; held <= 60; held += 5) {
            for (int floor = 0; floor <= 60 - held; floor += 5) {
                Standing standing = new Standing(A, 100, held, held, floor == 0 ? Map.of() : Map.of(B, floor));
                assertThat(eighths(Turn.of(standing, vacant(100 - held - floor, standing))))
                        .isSortedAccordingTo(Comparator.naturalOrder())
                        .allMatch(eighths -> eighths >= 0 && eighths < Turn.STEPS);
            }
        }
    }

    @Test
    void aNodeLeavesToOthersWhatItMayNotHave() {
        Standing standing = new Standing(A, 10, 3, 0, Map.of());
        List<Turn> turns =
                Turn.of(standing, vacant(7, standing, new Share(5, Optional.empty()), Optional.empty(), false));

        assertThat(turns.stream().map(Turn::withheld)).containsExactly(false, false, true, true, true, true, true);
    }

    @Test
    void thePreferredNodeIsFirstAndTheOthersWaitForIt() {
        Standing a = new Standing(A, 3, 2, 0, Map.of(B, 1));
        Share onA = new Share(Share.UNLIMITED, Optional.of("A"));
        Share onB = new Share(Share.UNLIMITED, Optional.of("B"));

        assertThat(eighths(Turn.of(a, vacant(1, a, onA, Optional.of(C), true)))).containsExactly(0);
        assertThat(eighths(Turn.of(a, vacant(1, a, onB, Optional.of(C), true)))).containsExactly(Turn.STEPS);
        assertThat(eighths(Turn.of(a, vacant(1, a, onB, Optional.of(B), true))))
                .as("the preferred node has just lost it")
                .allMatch(eighths -> eighths < Turn.STEPS);
    }

    @Test
    void whatIsToWaitForAnotherNodeComesLast() {
        Standing standing = new Standing(A, 60, 0, 0, Map.of(B, 1));
        List<Vacant> both = Stream.concat(
                        vacant(9, standing, new Share(1, Optional.of("B")), Optional.empty(), false).stream(),
                        Stream.of(new Vacant(
                                new LeaseName("any"),
                                Share.even(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                standing.floor(),
                                0)))
                .toList();

        assertThat(Turn.of(standing, both).get(0).lease().name().value()).isEqualTo("any");
    }

    @Test
    void eachNodeIsTheFirstForAboutAThird() {
        List<HolderId> nodes = List.of(A, B, C);
        Map<HolderId, Long> first = IntStream.range(0, 3_000)
                .mapToObj(i -> new LeaseName("shop/route-" + i))
                .collect(Collectors.groupingBy(
                        name -> nodes.stream()
                                .max((a, b) -> Long.compareUnsigned(Preference.hash(a, name), Preference.hash(b, name)))
                                .orElseThrow(),
                        Collectors.counting()));

        assertThat(first.values()).allSatisfy(count -> assertThat(count).isBetween(900L, 1_100L));
    }

    @Test
    void aShareThatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share(0, Optional.empty()))
                .withMessage("maxLeases=0 must be at least 1, or not set for no limit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share(1, Optional.of(" B")))
                .withMessage("node label ' B' must not begin or end with white space");
    }
}
