/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Times are milliseconds of the local monotonic clock; the store's clock shows 2026 plus the same, unless it is stepped. */
class StoreClockTest {

    private static final long MILLION = 1_000_000;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final StoreClock clock = new StoreClock(Duration.ofSeconds(1).toNanos());
    private Duration offset = Duration.ZERO;

    /** A reply that is read exactly half-way between its send and its receipt. */
    private boolean read(long sentAtMillis, long receivedAtMillis) {
        Instant storeNow =
                BEGIN.plusMillis((sentAtMillis + receivedAtMillis) / 2).plus(offset);
        return clock.read(storeNow, at(sentAtMillis), at(receivedAtMillis));
    }

    private static Moment at(long millis) {
        return new Moment(millis * MILLION, millis);
    }

    @Test
    void knowsNothingOfAStepBeforeItsFirstReading() {
        assertThat(read(0, 10)).isFalse();
        assertThat(clock.movedAt()).isNull();
    }

    @Test
    void doesNotTakeASlowReplyForAStep() {
        read(0, 10);
        assertThat(read(1_000, 9_000)).isFalse();
        assertThat(read(9_000, 9_010)).isFalse();
    }

    @Test
    void isNotSureBehindASlowLookUntilAQuickOneComes() {
        read(0, 10);
        read(1_000, 3_200);
        assertThat(clock.isSure()).isFalse();

        read(3_300, 3_310);
        assertThat(clock.isSure()).isTrue();
    }

    /** The store read its clock early in the call, and the reply took long: a step that is a little longer than the band. */
    @Test
    void aSlowReplyHidesAStepAndSaysSo() {
        read(0, 10);
        Instant stepped = BEGIN.plusMillis(1_010 + 1_500);
        assertThat(clock.read(stepped, at(1_000), at(1_900))).isFalse();
        assertThat(clock.isSure()).isFalse();

        offset = Duration.ofMillis(1_500);
        assertThat(read(2_000, 2_010)).isTrue();
        assertThat(clock.isSure()).isTrue();
    }

    @Test
    void isAsSureAsAtFirstWhenItHasNotLookedForLong() {
        read(0, 10);
        read(600_000, 600_010);
        assertThat(clock.isSure()).isTrue();
        read(1_200_000, 1_202_200);
        assertThat(clock.isSure()).isFalse();
    }

    @Test
    void seesAStepForwardOfMoreThanTheBand() {
        read(0, 10);
        offset = Duration.ofMillis(1_050);

        assertThat(read(20, 30)).isTrue();
        assertThat(clock.movedAt()).isEqualTo(at(30));
    }

    @Test
    void seesAStepBackOfMoreThanTheBand() {
        read(0, 10);
        offset = Duration.ofHours(-1);

        assertThat(read(20, 30)).isTrue();
    }

    @Test
    void overlooksDifferencesWithinTheBandAsNodesOfOneStoreHaveThem() {
        read(0, 10);
        for (int i = 1; i < 100; i++) {
            offset = Duration.ofMillis(i % 2 == 0 ? 0 : 900);
            assertThat(read(i * 100L, i * 100L + 10)).isFalse();
        }
    }

    @Test
    void seesThatManySmallStepsAreALargeOne() {
        read(0, 10);
        boolean moved = false;
        for (int i = 1; i <= 30; i++) {
            offset = Duration.ofMillis(i * 100L);
            moved |= read(i * 100L, i * 100L + 10);
        }
        assertThat(moved).isTrue();
    }

    @Test
    void takesAClockThatRunsOnePercentTooFastForHealthy() {
        read(0, 10);
        for (int i = 1; i <= 1_000; i++) {
            offset = Duration.ofMillis(i * 9L);
            assertThat(read(i * 1_000L, i * 1_000L + 10)).isFalse();
        }
    }

    @Test
    void takesTwoClocksThatAreBothOnePercentWrongForHealthy() {
        for (int local = 0; local <= 20_000_000; local += 2_000) {
            // this one is 1 % slow, the store's 1 % fast
            offset = Duration.ofNanos((long) (local * (1.01 / 0.99 - 1) * MILLION));
            assertThat(read(local, local + 2)).isFalse();
        }
        for (int i = 1; i <= 10_000; i++) {
            offset = offset.minusNanos((long) (2_000 * (1 - 0.99 / 1.01) * MILLION));
            assertThat(read(20_000_000 + i * 2_000, 20_000_002 + i * 2_000)).isFalse();
        }
    }

    @Test
    void goesByTheNewOffsetAfterAStep() {
        read(0, 10);
        offset = Duration.ofHours(1);
        read(20, 30);

        assertThat(read(40, 50)).isFalse();
        offset = Duration.ZERO;
        assertThat(read(60, 70)).isTrue();
    }

    @Test
    void allowsForAStoreThatCutsItsClockToMilliseconds() {
        clock.read(BEGIN.plusNanos(999_999), at(0), at(0));
        assertThat(clock.read(BEGIN, at(0), at(0))).isFalse();
    }

    @Property
    void neverSuspectsAClockThatIsSteady(
            @ForAll @Size(max = 50) List<@IntRange(max = 20_000) Integer> pauses,
            @ForAll @Size(50) List<@IntRange(max = 6_000) Integer> delays) {
        StoreClock steady = new StoreClock(0);
        long now = 0;
        for (int i = 0; i < pauses.size(); i++) {
            now += pauses.get(i);
            long received = now + delays.get(i);
            long read = now + delays.get(i) / 3;
            assertThat(steady.read(BEGIN.plusMillis(read), at(now), at(received)))
                    .isFalse();
            now = received;
        }
    }
}
