/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseEvent.Granted;
import io.camellease.core.LeaseEvent.Lost;
import io.camellease.core.LeaseEvent.RecordUnreadable;
import io.camellease.core.LeaseEvent.RecordWentBack;
import io.camellease.core.LeaseState;
import io.camellease.core.LossReason;
import io.camellease.testkit.Fault;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a lease goes from one node to the next: T = 30 s, R = 10 s, K = 3 s. That no two nodes may ever begin work under one lease
 * at the same instant, and that tokens grow, {@link Cluster} checks at every step of each test.
 */
class TakeoverTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** T + K: how long it takes at most until another node takes over from one that died. */
    private static final double TAKEOVER = 33;

    /** 1.02 T + 2 K: the same when the store's clock moved, and the record must have stood still before the candidate's eyes. */
    private static final double CAREFUL_TAKEOVER = 36.6;

    private final Cluster cluster = new Cluster();
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    private void letAHold() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        b.start();
        cluster.advance(1);
        a.events.clear();
    }

    @Test
    void theFirstCandidateHoldsAtOnce() {
        a.start();

        assertThat(cluster.secondsUntilUsable(a, LIMIT)).isZero();
        cluster.advance(0);
        assertThat(a.kinds()).containsExactly(Granted.class);
    }

    @Test
    void ofTwoThatStartTogetherOneHoldsAndTheOtherWaits() {
        a.start();
        b.start();
        cluster.advance(300);

        assertThat(a.isUsable()).isNotEqualTo(b.isUsable());
        assertThat(a.kinds()).doesNotContain(Lost.class);
        assertThat(b.kinds()).doesNotContain(Lost.class);
    }

    @Test
    void aDeadHoldersLeaseIsTakenOverWithinTtlAndK() {
        letAHold();
        a.kill();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(TAKEOVER);
    }

    @Test
    void aReleasedLeaseIsTakenOverWithinK() {
        letAHold();
        a.elector().stop();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(3);
    }

    @Test
    void aClaimThatWasGrantedWithoutAReplyIsRecognisedWithinOneRetry() {
        a.wire.script(Operation.CLAIM, Fault.lostReply());
        a.start();
        b.start();

        assertThat(cluster.secondsUntilUsable(a, LIMIT)).as("K / 4").isLessThanOrEqualTo(0.75);
        assertThat(a.wire.calls(Operation.CLAIM)).isEqualTo(2);
        cluster.advance(100);
        assertThat(a.events(Granted.class)).hasSize(1);
        assertThat(b.kinds()).doesNotContain(Granted.class);
    }

    @Test
    void aClaimWhoseEveryReplyIsLostIsGivenUpAndNotSentAgainAfterU() {
        for (int i = 0; i < 200; i++) {
            a.wire.script(Operation.CLAIM, Fault.lostReply());
        }
        a.start();
        cluster.advance(30);
        assertThat(a.wire.calls(Operation.ABANDON)).isEqualTo(1);
        a.wire.heal();

        assertThat(cluster.secondsUntilUsable(a, LIMIT)).isLessThanOrEqualTo(6);
    }

    @Test
    void aClaimThatIsAppliedLateIsReleasedByItsAbandonment() {
        a.wire.script(Operation.CLAIM, Fault.late(1));
        a.start();
        a.elector();
        cluster.advance(0);
        a.elector().stop();
        cluster.advance(1);
        assertThat(a.wire.calls(Operation.ABANDON)).isEqualTo(1);
        b.start();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(TAKEOVER);
        assertThat(a.elector().state()).isEqualTo(LeaseState.STOPPED);
    }

    @Test
    void anElectorThatIsStoppedWhileItsClaimIsUnderWayGivesTheGrantBack() {
        a.wire.script(Operation.CLAIM, new Fault.Slow(Duration.ZERO, Duration.ofSeconds(2)));
        a.start();
        cluster.advance(1);
        a.elector().stop();
        cluster.advance(1.1);
        b.start();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(3);
        assertThat(a.kinds()).isEmpty();
    }

    @Test
    void aGrantWhoseReplyTookTooLongIsNotHandedOut() {
        a.wire.script(Operation.CLAIM, new Fault.Slow(Duration.ZERO, Duration.ofSeconds(5)));
        a.start();

        double after = cluster.secondsUntilUsable(a, LIMIT);

        assertThat(after).isEqualTo(5);
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) > 0, LIMIT);
        assertThat(cluster.time.elapsed())
                .as("renewed at R after the send, not after the reply")
                .isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aWipedStoreStopsTheHolderAtItsNextRenewalAndTheTokenGrows() {
        letAHold();
        long before = a.token();
        cluster.store.wipe();

        assertThat(cluster.time.advanceUntil(() -> !a.isUsable(), cluster.settings.renewInterval()))
                .isTrue();
        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), LIMIT))
                .isTrue();
        assertThat(Math.max(a.token(), b.token())).isGreaterThan(before);
        assertThat(b.kinds()).contains(RecordWentBack.class);
    }

    @Test
    void anOlderExpiredCopyOfOnesOwnRecordDoesNotTakeTheTokenBack() {
        a.start();
        cluster.secondsUntilUsable(a, LIMIT);
        InMemoryLeaseStore.Snapshot old = cluster.store.snapshot();
        b.start();
        a.elector().giveAway();
        cluster.secondsUntilUsable(b, LIMIT);
        b.elector().giveAway();
        cluster.advance(60);
        long before = Math.max(a.token(), b.token());
        assertThat(before).isPositive();

        cluster.store.restore(old);
        cluster.advance(11);
        assertThat(a.isUsable() || b.isUsable()).as("the holder was refused").isFalse();

        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), LIMIT))
                .isTrue();
        assertThat(Math.max(a.token(), b.token())).isGreaterThan(before);
    }

    @Test
    void anOlderCopyInWhichAnotherHoldsStopsTheHolder() {
        b.start();
        cluster.secondsUntilUsable(b, LIMIT);
        InMemoryLeaseStore.Snapshot old = cluster.store.snapshot();
        a.start();
        b.elector().giveAway();
        cluster.secondsUntilUsable(a, LIMIT);
        long before = a.token();

        cluster.store.restore(old);

        assertThat(cluster.time.advanceUntil(() -> !a.isUsable(), cluster.settings.renewInterval()))
                .isTrue();
        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), LIMIT))
                .isTrue();
        assertThat(Math.max(a.token(), b.token())).isGreaterThan(before);
    }

    @Test
    void aRecordThatCannotBeReadIsNotClaimedUntilItIsMended() {
        letAHold();
        cluster.store.damage(ORDERS);
        cluster.advance(60);
        assertThat(a.isUsable() || b.isUsable()).isFalse();
        assertThat(b.events(RecordUnreadable.class)).as("told once").hasSize(1);

        cluster.store.wipe();
        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), LIMIT))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, 20, 2, -2, -20, -3600})
    void aStepOfTheStoresClockNeverLetsTwoWork(long seconds) {
        letAHold();
        cluster.advance(25);
        cluster.storeClock.stepWall(Duration.ofSeconds(seconds));
        cluster.advance(120);

        assertThat(a.isUsable()).isNotEqualTo(b.isUsable());
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, 20, -3600})
    void aDeadHoldersLeaseIsTakenOverAlthoughTheStoresClockSteps(long seconds) {
        letAHold();
        cluster.advance(25);
        a.kill();
        cluster.storeClock.stepWall(Duration.ofSeconds(seconds));

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(CAREFUL_TAKEOVER);
    }

    @Test
    void aStepBackOfLessThanTheTtlDelaysATakeoverByNoMoreThanThat() {
        letAHold();
        cluster.advance(25);
        a.kill();
        cluster.storeClock.stepWall(Duration.ofSeconds(-20));

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(TAKEOVER + 20);
    }

    @Test
    void aHolderThatTheStoresClockExpiredIsNotOvertakenBeforeItKnows() {
        letAHold();
        cluster.time.advanceUntil(() -> a.wire.calls(Operation.RENEW) == 1, LIMIT);
        a.wire.standing(Fault.lostRequest());
        cluster.storeClock.stepWall(Duration.ofHours(1));

        // A works on until U, and Cluster checks that B does not begin before.
        cluster.advance(23);
        assertThat(a.isUsable()).isTrue();
        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(CAREFUL_TAKEOVER - 23);
    }

    @Test
    void aCandidateThatWasSuspendedWithItsHostIsOnlyMoreCareful() {
        letAHold();
        b.clock.suspendHost();
        cluster.advance(100);
        b.clock.resume();
        a.kill();

        assertThat(cluster.secondsUntilUsable(b, LIMIT)).isLessThanOrEqualTo(CAREFUL_TAKEOVER);
    }

    @Test
    void ofTwoClonesOfOneProcessOneIsTurnedOutAtItsNextRenewal() {
        HolderId holder = new HolderId("clone#1");
        // Until one of them renews, both work, which no lease can prevent: they are one holder with one grant.
        cluster.time.afterEachTask(() -> {});
        Cluster.Node first = cluster.node(holder, cluster.store, clonedIds("first"));
        Cluster.Node second = cluster.node(holder, cluster.store, clonedIds("second"));
        first.start();
        second.start();
        cluster.advance(0);
        assertThat(first.isUsable() && second.isUsable()).isTrue();
        assertThat(second.elector().lease()).isEqualTo(first.elector().lease());

        assertThat(cluster.time.advanceUntil(
                        () -> first.isUsable() != second.isUsable(), cluster.settings.renewInterval()))
                .as("one of them within one renewal")
                .isTrue();
        cluster.time.afterEachTask(
                () -> assertThat(first.isUsable() && second.isUsable()).isFalse());
        cluster.advance(300);
        Cluster.Node turnedOut = first.isUsable() ? second : first;
        assertThat(turnedOut.events(Lost.class)).singleElement().satisfies(lost -> assertThat(lost.reason())
                .isEqualTo(LossReason.REFUSED));
    }

    /** The attempt is from before the process was cloned, all that follows is not. */
    private static Supplier<String> clonedIds(String clone) {
        AtomicInteger calls = new AtomicInteger();
        return () -> calls.getAndIncrement() == 0 ? "attempt" : clone + calls;
    }
}
