/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static io.camellease.testkit.elector.Cluster.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import io.camellease.core.LossReason;
import io.camellease.testkit.Fault;
import io.camellease.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store fails over to a member whose clock differs. To its users that is a store whose clock steps; that is what is done here,
 * as members with skewed clocks cannot be had in a test.
 */
class StoreFailOverClockTest {

    private static final LeaseSettings SETTINGS = LeaseSettings.of(Duration.ofSeconds(4));
    private static final double RENEW_INTERVAL = SETTINGS.renewInterval().toMillis() / 1000.0;

    private final Cluster cluster = new Cluster(SETTINGS);
    private final Cluster.Node a = cluster.node("A");
    private final Cluster.Node b = cluster.node("B");

    private void letAHold() {
        a.start();
        cluster.secondsUntilUsable(a, Duration.ofSeconds(1));
        cluster.advance(10);
    }

    private void failOver(Duration clockDiffersBy) {
        cluster.storeClock.stepWall(clockDiffersBy);
    }

    @ParameterizedTest
    @ValueSource(longs = {130, -130})
    void c15_aMemberWhoseClockIsWithinTheBandIsNotNoticed(long millis) {
        letAHold();
        b.start();
        cluster.advance(10);

        failOver(Duration.ofMillis(millis));
        cluster.advance(60);

        assertThat(a.isUsable()).isTrue();
        assertThat(a.kinds()).containsExactly(LeaseEvent.Granted.class);
        assertThat(b.events(LeaseEvent.Granted.class)).isEmpty();
    }

    /** By its clock the lease has expired: the holder is told at its next renewal, and nobody is let in before that. */
    @Test
    void c15_aMemberFiveSecondsAheadEndsTheGrantAtTheNextRenewalAndLetsNoTwoWork() {
        letAHold();
        b.start();
        cluster.advance(10);

        failOver(Duration.ofSeconds(5));
        cluster.advance(RENEW_INTERVAL + 0.1);

        assertThat(a.events(LeaseEvent.Lost.class))
                .extracting(LeaseEvent.Lost::reason)
                .containsExactly(LossReason.REFUSED);
        assertThat(cluster.time.advanceUntil(() -> a.isUsable() || b.isUsable(), Duration.ofSeconds(6)))
                .isTrue();
    }

    /** The holder goes by its own clock, so it works no longer than before; the others wait for as long as that clock is behind. */
    @Test
    void c15_aMemberFiveSecondsBehindProlongsNobodysWork() {
        letAHold();
        b.start();
        cluster.advance(10);

        failOver(Duration.ofSeconds(-5));
        a.wire.standing(Fault.lostRequest());

        assertThat(cluster.secondsUntilUsable(b, Duration.ofSeconds(60))).isLessThanOrEqualTo(4 * 1.02 + 5);
    }

    /** A node that has not seen the clock move cannot know: the holder works on until it is refused. */
    @Test
    void c15_aNodeThatIsStartedAfterTheStepMayOverlapForOneRenewIntervalAtMost() {
        letAHold();
        failOver(Duration.ofSeconds(5));
        LeaseElector late = startUnchecked();
        int overlapMillis = 0;
        for (int i = 0; i < 10_000; i++) {
            cluster.time.advance(Duration.ofMillis(1));
            overlapMillis += a.isUsable() && late.check().isPresent() ? 1 : 0;
        }

        assertThat(late.check()).isPresent();
        assertThat(overlapMillis).isLessThanOrEqualTo((int) (RENEW_INTERVAL * 1000));
        assertThat(a.events(LeaseEvent.Lost.class))
                .extracting(LeaseEvent.Lost::reason)
                .containsExactly(LossReason.REFUSED);
    }

    /** A node that the cluster does not know, so that it does not find fault with two that work. */
    private LeaseElector startUnchecked() {
        VirtualTime.Node clock = cluster.time.node(0, Duration.ZERO);
        VirtualLane.Turn turn = new VirtualLane.Turn();
        long patience = SETTINGS.storeTimeout().toNanos() * 2;
        LeaseThreads threads = new LeaseThreads(
                clock,
                clock,
                new VirtualLane(clock, turn, patience),
                new VirtualLane(clock, turn, patience),
                clock::execute);
        AtomicInteger ids = new AtomicInteger();
        LeaseClient client = new LeaseClient(
                cluster.store, new HolderId("late#1"), SETTINGS, threads, () -> "late-" + ids.incrementAndGet());
        LeaseElector elector = client.elector(ORDERS, event -> {}, () -> "");
        elector.start();
        return elector;
    }
}
