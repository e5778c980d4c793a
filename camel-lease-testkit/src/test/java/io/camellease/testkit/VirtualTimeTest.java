/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.LeaseTimer.Scheduled;
import io.camellease.core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final VirtualTime time = new VirtualTime();
    private final List<String> ran = new ArrayList<>();

    private Runnable task(String label) {
        return () -> ran.add(label + "@" + time.elapsed().toMillis());
    }

    @Test
    void clocksStandStillUntilTimeGoesOn() {
        Moment begin = time.now();
        assertThat(time.now()).isEqualTo(begin);

        time.advance(Duration.ofMillis(1500));

        assertThat(time.now().nanosSince(begin)).isEqualTo(1_500_000_000);
        assertThat(time.now().wallNanosSince(begin)).isEqualTo(1_500_000_000);
    }

    @Test
    void tasksRunInOrderOfDueTimeAndThenOfScheduling() {
        time.schedule(task("c"), 2 * SECOND);
        time.schedule(task("a"), SECOND);
        time.schedule(task("d"), 2 * SECOND);
        time.execute(task("now"));
        time.schedule(task("late"), 4 * SECOND);

        time.advance(Duration.ofSeconds(3));

        assertThat(ran).containsExactly("now@0", "a@1000", "c@2000", "d@2000");
    }

    @Test
    void tasksOfDifferentNodesAreOrderedByTrueTime() {
        VirtualTime.Node fast = time.node(100_000, Duration.ZERO);
        VirtualTime.Node slow = time.node(-100_000, Duration.ZERO);
        slow.schedule(task("slow"), SECOND);
        time.schedule(task("exact"), SECOND);
        fast.schedule(task("fast"), SECOND);

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("fast@909", "exact@1000", "slow@1111");
    }

    @Test
    void taskSeesTheClockAtItsDueTime() {
        VirtualTime.Node node = time.node(-317, Duration.ofHours(1));
        Moment begin = node.now();
        List<Long> seen = new ArrayList<>();
        node.schedule(() -> seen.add(node.now().nanosSince(begin)), 30 * SECOND + 7);

        time.advance(Duration.ofMinutes(1));

        assertThat(seen).containsExactly(30 * SECOND + 7);
    }

    @Test
    void tasksScheduledByTasksRunInTheSameAdvance() {
        time.schedule(() -> time.schedule(task("inner"), SECOND), SECOND);

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("inner@2000");
    }

    @Test
    void cancelledTaskDoesNotRun() {
        Scheduled scheduled = time.schedule(task("cancelled"), SECOND);
        scheduled.cancel();
        scheduled.cancel();

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).isEmpty();
    }

    @Test
    void closedNodeDropsItsTasksAndIgnoresLaterOnes() {
        VirtualTime.Node node = time.node(0, Duration.ZERO);
        node.schedule(task("before"), SECOND);
        time.schedule(task("other"), SECOND);

        node.close();
        node.execute(task("after"));
        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("other@1000");
    }

    @Test
    void taskThatThrowsDoesNotStopTheOthersAndIsReported() {
        time.schedule(
                () -> {
                    throw new IllegalStateException("first");
                },
                SECOND);
        time.schedule(
                () -> {
                    throw new AssertionError("second");
                },
                SECOND);
        time.schedule(task("third"), SECOND);

        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(2)))
                .hasMessage("first")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
        assertThat(ran).containsExactly("third@1000");
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void checkAfterEachTaskStopsTimeAtTheTaskThatBrokeIt() {
        time.afterEachTask(() -> assertThat(ran).hasSizeLessThan(2));
        time.schedule(task("a"), SECOND);
        time.schedule(task("b"), 2 * SECOND);
        time.schedule(task("c"), 3 * SECOND);

        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(9))).isInstanceOf(AssertionError.class);

        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
        assertThat(ran).containsExactly("a@1000", "b@2000");
    }

    @Test
    void advanceUntilStopsWhenTheConditionHolds() {
        time.schedule(task("a"), SECOND);
        time.schedule(task("b"), 2 * SECOND);

        assertThat(time.advanceUntil(() -> !ran.isEmpty(), Duration.ofSeconds(9)))
                .isTrue();
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(1));

        assertThat(time.advanceUntil(() -> false, Duration.ofSeconds(9))).isFalse();
        assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void clocksOfANodeRunAtItsRateFromItsOffset() {
        VirtualTime.Node node = time.node(10_000, Duration.ofMinutes(3));
        Moment begin = node.now();
        assertThat(begin.wallMillis() - time.now().wallMillis())
                .isEqualTo(Duration.ofMinutes(3).toMillis());

        time.advance(Duration.ofSeconds(100));

        assertThat(node.now().nanosSince(begin)).isEqualTo(101 * SECOND);
        assertThat(node.now().wallNanosSince(begin)).isEqualTo(101 * SECOND);
    }

    @Test
    void clocksStayExactOverAYear() {
        VirtualTime.Node node = time.node(10_000, Duration.ZERO);
        Moment begin = node.now();
        node.schedule(task("due"), Duration.ofDays(369).minusMillis(350).toNanos());

        time.advance(Duration.ofDays(365));

        assertThat(node.now().nanosSince(begin))
                .isEqualTo(Duration.ofDays(365).plusHours(87).plusMinutes(36).toNanos());
        assertThat(ran).isEmpty();
    }

    @Test
    void steppedWallClockLeavesTheMonotonicOneAlone() {
        VirtualTime.Node node = time.node(0, Duration.ZERO);
        Moment begin = node.now();

        node.stepWall(Duration.ofMinutes(-5));
        time.advance(Duration.ofSeconds(1));

        assertThat(node.now().nanosSince(begin)).isEqualTo(SECOND);
        assertThat(node.now().wallNanosSince(begin)).isEqualTo(-299 * SECOND);
    }

    @Test
    void pausedProcessRunsItsTasksLateButItsClocksGoOn() {
        VirtualTime.Node node = time.node(0, Duration.ZERO);
        Moment begin = node.now();
        node.schedule(task("b"), 2 * SECOND);
        node.schedule(task("a"), SECOND);

        node.pause();
        time.advance(Duration.ofSeconds(10));
        assertThat(ran).isEmpty();
        assertThat(node.now().nanosSince(begin)).isEqualTo(10 * SECOND);

        node.resume();
        time.advance(Duration.ZERO);
        assertThat(ran).containsExactly("a@10000", "b@10000");
    }

    @Test
    void suspendedHostCountsOnItsWallClockOnly() {
        VirtualTime.Node node = time.node(0, Duration.ZERO);
        Moment begin = node.now();
        node.schedule(task("a"), 3 * SECOND);
        time.advance(Duration.ofSeconds(1));

        node.suspendHost();
        time.advance(Duration.ofSeconds(10));
        assertThat(node.now().nanosSince(begin)).isEqualTo(SECOND);
        assertThat(node.now().wallNanosSince(begin)).isEqualTo(11 * SECOND);

        node.resume();
        time.advance(Duration.ofSeconds(5));
        assertThat(ran).containsExactly("a@13000");
        assertThat(node.now().nanosSince(begin)).isEqualTo(6 * SECOND);
    }

    @Test
    void nodeThatIsAddedLaterStartsAtTheTimeOfThatMoment() {
        time.advance(Duration.ofHours(2));

        VirtualTime.Node node = time.node(0, Duration.ofSeconds(1));

        assertThat(node.now().wallMillis()).isEqualTo(time.now().wallMillis() + 1000);
        node.schedule(task("a"), SECOND);
        time.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("a@7201000");
    }

    @Test
    void advanceFromATaskIsRefused() {
        time.execute(() -> time.advance(Duration.ZERO));

        assertThatThrownBy(() -> time.advance(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("from a task");
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void tasksWithoutEndAreFound() {
        time.execute(this::again);

        assertThatThrownBy(() -> time.advance(Duration.ZERO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without end");
    }

    private void again() {
        time.execute(this::again);
    }

    @Test
    void illegalRatesAndDurationsAreRefused() {
        assertThatThrownBy(() -> time.node(500_001, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
