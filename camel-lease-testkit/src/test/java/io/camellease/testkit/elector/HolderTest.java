/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent.AtRisk;
import io.camellease.core.LeaseEvent.Draining;
import io.camellease.core.LeaseEvent.Granted;
import io.camellease.core.LeaseEvent.HolderChanged;
import io.camellease.core.LeaseEvent.Lost;
import io.camellease.core.LeaseEvent.Released;
import io.camellease.core.LeaseEvent.Resumed;
import io.camellease.core.LeaseEvent.Secured;
import io.camellease.core.LeaseEvent.Suspended;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.LossReason;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What befalls a holder: T = 30 s, R = 10 s, K = 3 s, C = 3 s, U = 23.4 s, E = 28.4 s. */
class HolderTest {

    private static final HolderId THIEF = new HolderId("X#9");
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    @BeforeEach
    void letAHold() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        b.start();
        cluster.advance(1);
        a.events.clear();
    }

    @Test
    void aHolderThatIsToldNotYoursStopsAtTheVeryNextRenewal() {
        cluster.store.steal(ORDERS, THIEF, Duration.ofSeconds(60));
        String stolen = cluster.store.raw(ORDERS);

        assertThat(cluster.time.advanceUntil(() -> !a.isUsable(), cluster.settings.renewInterval()))
                .as("within one renew interval")
                .isTrue();
        cluster.advance(5);

        assertThat(a.events(Lost.class)).singleElement().satisfies(lost -> assertThat(lost.reason())
                .isEqualTo(LossReason.REFUSED));
        assertThat(a.events(HolderChanged.class))
                .singleElement()
                .satisfies(changed -> assertThat(changed.record().holder()).contains(THIEF));
        cluster.advance(40);
        assertThat(cluster.store.raw(ORDERS))
                .as("nobody writes the record while X holds")
                .isEqualTo(stolen);

        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), LIMIT))
                .isTrue();
    }

    @Test
    void aStolenRecordWhoseTtlWasLeftAsItWasIsRespectedUntilItExpiresToo() {
        cluster.store.steal(ORDERS, THIEF, cluster.settings.ttl());
        cluster.store.shiftExpiry(ORDERS, Duration.ofSeconds(60));
        String stolen = cluster.store.raw(ORDERS);

        cluster.advance(85);

        assertThat(cluster.store.raw(ORDERS)).isEqualTo(stolen);
        cluster.advance(10);
        assertThat(a.isUsable() || b.isUsable()).isTrue();
    }

    @Test
    void oneRenewalThatFailsChangesNothingForTheUser() {
        long token = a.token();
        a.wire.script(Operation.RENEW, Fault.lostReply());

        cluster.time.advanceUntil(() -> a.kinds().contains(Secured.class), LIMIT);
        cluster.advance(60);

        assertThat(a.kinds()).containsExactly(AtRisk.class, Secured.class);
        assertThat(a.token()).isEqualTo(token);
        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void aStoreThatRefusesConnectionsForAWhileIsRiddenThroughWithFasterRetries() {
        long token = a.token();
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) == 1, LIMIT);
        a.wire.standing(Fault.lostRequest());
        int before = a.wire.calls(Operation.RENEW);
        cluster.advance(19);
        int duringTheOutage = a.wire.calls(Operation.RENEW) - before;
        assertThat(a.isUsable()).isTrue();
        a.wire.heal();
        cluster.advance(60);

        assertThat(a.kinds()).containsExactly(AtRisk.class, Secured.class);
        assertThat(a.token()).isEqualTo(token);
        assertThat(duringTheOutage)
                .as("renewals in 9 s, faster than one in R = 10 s")
                .isBetween(3, 8);
    }

    @Test
    void anOutageLongerThanUSuspendsAndResumesUnderTheSameToken() {
        long token = a.token();
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) == 1, LIMIT);
        a.wire.standing(Fault.lostRequest());
        cluster.advance(24.5);
        assertThat(a.isUsable()).isFalse();
        assertThat(a.elector().state()).isEqualTo(LeaseState.SUSPENDED);
        a.wire.heal();
        cluster.advance(3);

        assertThat(a.kinds()).containsExactly(AtRisk.class, Suspended.class, Resumed.class);
        assertThat(a.token()).isEqualTo(token);
        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void aRenewalThatHangsAndSucceedsLateDoesNotReviveTheGrant() {
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) == 1, LIMIT);
        long token = a.token();
        a.wire.standing(new Fault.Slow(Duration.ZERO, Duration.ofSeconds(90)));

        assertThat(secondsUntil(Suspended.class)).isBetween(23.3, 23.5);
        assertThat(a.isUsable()).isFalse();
        assertThat(secondsUntil(Lost.class)).isBetween(4.9, 5.1);
        assertThat(a.events(Lost.class).get(0).reason()).isEqualTo(LossReason.EXPIRED);

        a.wire.heal();
        cluster.advance(120);
        assertThat(a.token()).isNotEqualTo(token);
        assertThat(a.kinds()).doesNotContain(Resumed.class);
    }

    private double secondsUntil(Class<?> event) {
        Duration before = cluster.time.elapsed();
        assertThat(cluster.time.advanceUntil(() -> a.kinds().contains(event), LIMIT))
                .isTrue();
        return cluster.time.elapsed().minus(before).toMillis() / 1000.0;
    }

    private List<LeaseName> others(int number) {
        List<LeaseName> others = IntStream.range(0, number)
                .mapToObj(i -> new LeaseName("other-" + i))
                .toList();
        others.forEach(name -> a.elector(name).start());
        cluster.advance(1);
        return others;
    }

    /** As when the source of many routes is down, and all their leases are given away. */
    @Test
    void isRenewedAlthoughManyReleasesHang() {
        List<LeaseName> others = others(10);
        for (int i = 0; i < 100; i++) {
            a.wire.script(Operation.RELEASE, Fault.slow(Duration.ofMinutes(10)));
        }

        others.forEach(name -> a.elector(name).stop());
        cluster.advance(60);

        assertThat(a.events(Lost.class)).isEmpty();
        assertThat(a.isUsable()).isTrue();
    }

    /** They go to the store in chunks, of which the last ones wait for the first. */
    @Test
    void aRenewalThatWaitedForItsTurnUntilTheGrantWasLostIsNotSent() {
        int chunks = 6;
        var unused = others(chunks * 250);
        a.drainsAtOnce = false;
        int before = a.wire.calls(Operation.RENEW);
        for (int i = 0; i < 100; i++) {
            a.wire.script(Operation.RENEW, Fault.slow(Duration.ofMinutes(10)));
        }

        cluster.advance(45);

        assertThat(a.events(Lost.class)).hasSizeGreaterThan(chunks * 250);
        assertThat(a.wire.calls(Operation.RENEW) - before).isBetween(1, chunks - 1);
    }

    @Test
    void isRenewedUntilItsWorkHasEndedAndReleasedOnlyThen() {
        a.drainsAtOnce = false;
        Lease lease = a.elector().lease().orElseThrow();
        a.elector().stop();
        cluster.advance(55);

        assertThat(a.kinds()).containsExactly(Draining.class);
        assertThat(b.isUsable()).as("B while work runs on A").isFalse();
        assertThat(a.wire.calls(Operation.RELEASE)).isZero();

        a.elector().drained(lease);
        cluster.advance(0);
        assertThat(a.isUsable()).isFalse();
        assertThat(cluster.secondsUntilUsable(b, LIMIT))
                .as("hand-over within K")
                .isLessThanOrEqualTo(3);
        assertThat(a.kinds()).containsExactly(Draining.class, Released.class);
    }

    @Test
    void whoseWorkDoesNotEndInTimeIsLeftToExpire() {
        a.drainsAtOnce = false;
        a.elector().stop();
        cluster.advance(200);

        assertThat(a.wire.calls(Operation.RELEASE)).isZero();
        assertThat(a.kinds()).containsExactly(Draining.class, Lost.class);
        assertThat(b.isUsable()).isTrue();
    }

    @Test
    void whoseWorkIsNotWaitedForAnyLongerIsLeftToExpireAtOnce() {
        a.drainsAtOnce = false;
        a.elector().stop();
        a.elector().drainAbandoned();
        int before = a.wire.calls(Operation.RENEW);

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isBetween(25.0, 33.0);
        assertThat(a.wire.calls(Operation.RENEW)).isEqualTo(before);
        assertThat(a.wire.calls(Operation.RELEASE)).isZero();
    }

    @Test
    void thatGivesItsLeaseAwayHandsItOverWithinKAndDoesNotTakeItBack() {
        a.elector().giveAway();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(3);
        cluster.advance(300);
        assertThat(b.isUsable()).isTrue();
        assertThat(b.kinds()).contains(Granted.class).doesNotContain(Lost.class);
    }

    @Test
    void thatGivesItsLeaseAwayToNobodyTakesItBackAfterOneTtl() {
        b.kill();
        a.elector().giveAway();
        cluster.advance(29.9);
        assertThat(a.isUsable()).isFalse();

        cluster.advance(3.1);
        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void thatIsFrozenFindsItsGateClosedBeforeAnyTaskRunsAgain() {
        a.clock.pause();
        cluster.advance(40);
        assertThat(b.isUsable()).as("B has taken over").isTrue();
        int storeCalls = a.wire.calls(Operation.RENEW) + a.wire.calls(Operation.FIND);

        a.clock.resume();

        assertThat(a.elector().state()).as("nothing has told A yet").isEqualTo(LeaseState.HELD);
        assertThat(a.isUsable()).isFalse();
        assertThat(a.wire.calls(Operation.RENEW) + a.wire.calls(Operation.FIND)).isEqualTo(storeCalls);
        cluster.advance(1);
        assertThat(a.events(Lost.class)).hasSize(1);
        assertThat(b.isUsable()).isTrue();
    }

    @Test
    void whoseHostWasSuspendedFindsItsGateClosedAlthoughItsMonotonicClockStoodStill() {
        a.clock.suspendHost();
        cluster.advance(40);
        assertThat(b.isUsable()).as("B has taken over").isTrue();

        a.clock.resume();

        assertThat(a.isUsable()).isFalse();
        cluster.advance(1);
        assertThat(a.kinds()).containsExactly(AtRisk.class, Lost.class, HolderChanged.class);
        assertThat(a.events(Lost.class).get(0).reason()).isEqualTo(LossReason.REFUSED);
    }

    @Test
    void whoseHostWasSuspendedShorterThanUGoesOn() {
        a.clock.suspendHost();
        cluster.advance(8);
        a.clock.resume();

        assertThat(a.isUsable()).isTrue();
        cluster.advance(60);
        assertThat(a.kinds()).doesNotContain(Lost.class, Suspended.class);
    }

    @Test
    void whoseWallClockIsSteppedAheadBlinksAndGoesOn() {
        long token = a.token();
        a.clock.stepWall(Duration.ofHours(1));

        assertThat(a.isUsable()).as("closed at once").isFalse();
        cluster.advance(0.001);
        assertThat(a.isUsable()).as("opened by a renewal").isTrue();
        cluster.advance(60);
        assertThat(a.kinds()).containsExactly(AtRisk.class, Secured.class);

        a.clock.stepWall(Duration.ofHours(1));
        assertThat(a.isUsable()).as("closed at once for the second time").isFalse();
        cluster.advance(0.001);
        assertThat(a.isUsable()).isTrue();
        assertThat(a.token()).isEqualTo(token);
    }

    @Test
    void whoseWallClockIsSteppedBackNoticesNothingAndStillStopsInTime() {
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) == 1, LIMIT);
        a.clock.stepWall(Duration.ofHours(-1));
        assertThat(a.isUsable()).isTrue();
        a.wire.standing(Fault.lostRequest());

        cluster.advance(23.3);
        assertThat(a.isUsable()).isTrue();
        cluster.advance(0.2);
        assertThat(a.isUsable()).isFalse();
        assertThat(a.kinds()).containsExactly(AtRisk.class, Suspended.class);
    }

    @Test
    void whoseWallClockIsSteppedWhileTheStoreIsAwayStaysClosedUntilARenewalSucceeds() {
        a.wire.standing(Fault.lostRequest());
        a.clock.stepWall(Duration.ofHours(1));
        assertThat(a.isUsable()).isFalse();
        cluster.advance(5);
        assertThat(a.isUsable()).isFalse();
        a.clock.stepWall(Duration.ofHours(-1));
        assertThat(a.isUsable()).as("stepping back is no proof").isFalse();

        a.wire.heal();
        cluster.advance(3);
        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void whoseGateSawAJumpStaysClosedAlthoughTheClockIsBackBeforeTheTimerKnows() {
        a.clock.stepWall(Duration.ofHours(1));
        assertThat(a.isUsable()).isFalse();
        a.clock.stepWall(Duration.ofHours(-1));

        assertThat(a.isUsable()).isFalse();
        cluster.advance(0.001);
        assertThat(a.isUsable()).isTrue();
    }

    @Test
    void whoseClockIsOnePercentSlowStopsBeforeTheStoreCallsItExpired() {
        Cluster slow = new Cluster();
        Cluster.Node holder = slow.nodeWithClockRate("S", -10_000);
        holder.start();
        slow.secondsUntilUsable(holder, LIMIT);
        Cluster.Node fast = slow.nodeWithClockRate("F", 10_000);
        fast.start();
        slow.advance(35);
        holder.wire.standing(Fault.lostRequest());

        // Cluster checks at every step that the two never overlap.
        assertThat(slow.secondsUntilUsable(fast, LIMIT)).isLessThan(40);
    }
}
