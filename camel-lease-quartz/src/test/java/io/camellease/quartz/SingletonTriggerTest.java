/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.FencingToken;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.quartz.SlotLedger.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

/** What one trigger owes within a grant. Its slots are the seconds from noon on. */
class SingletonTriggerTest {

    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
    private static final SlotKeys KEYS = SlotKeys.of("trigger");
    private static final JobDetail JOB =
            JobBuilder.newJob(Runs.Recorder.class).withIdentity("job").build();
    private static final Lease LEASE = new Lease(
            new LeaseName("test"), new HolderId("A"), new FencingToken(1), AttemptId.unique(), Duration.ofSeconds(30));

    private static Instant second(double second) {
        return NOON.plusMillis((long) (1000 * second));
    }

    private static Trigger cron(String expression) {
        return TriggerBuilder.newTrigger()
                .withIdentity("trigger")
                .startAt(Date.from(NOON.minusSeconds(3600)))
                .withSchedule(CronScheduleBuilder.cronSchedule(expression).inTimeZone(TimeZone.getTimeZone("UTC")))
                .build();
    }

    private static Schedule schedule(Trigger trigger) {
        return new Schedule(trigger, null, NOON.minusSeconds(3600));
    }

    /** A trigger of a node that was granted the lease at noon, after slot 0 had been reserved. */
    private static SingletonTrigger opened(MissedFires missedFires) {
        Trigger trigger = cron("* * * * * ?");
        SingletonTrigger opened = new SingletonTrigger(
                trigger, JOB, schedule(trigger), KEYS, new SlotOptions(missedFires, Duration.ofHours(1), false));
        Map<String, Instant> stored =
                Map.of(KEYS.reserved(), NOON, KEYS.since(schedule(trigger)), NOON.minusSeconds(60));
        assertThat(opened.open(LEASE, stored, NOON, NOON)).isPresent();
        return opened;
    }

    private static Turn fire(SingletonTrigger trigger, int second, Instant now) {
        return trigger.arrive(LEASE, second(second), false, now);
    }

    private static void run(SingletonTrigger trigger, int second) {
        assertThat(fire(trigger, second, second(second + 0.01))).isEqualTo(Turn.RESERVE);
        trigger.change(LEASE, ledger -> ledger.begun(second(second)));
        trigger.change(LEASE, ledger -> ledger.ended(second(second)));
    }

    /** A route is looked at again after each renewal that was late, and a fire may be on its way just then. */
    @ParameterizedTest
    @EnumSource(MissedFires.class)
    void aSlotThatJustFellDueIsNotMissedWhenTheGrantIsLookedAtAgain(MissedFires missedFires) {
        SingletonTrigger trigger = opened(missedFires);
        run(trigger, 1);

        assertThat(trigger.open(LEASE, Map.of(), second(3.01), second(3.01))).isEmpty();

        assertThat(trigger.next(LEASE)).hasValue(second(2));
        trigger.notFired(second(2));
        run(trigger, 2);
        run(trigger, 3);
    }

    @ParameterizedTest
    @EnumSource(MissedFires.class)
    void aSlotThatFellDueBetweenTheGrantAndTheFirstLookIsNotMissed(MissedFires missedFires) {
        Trigger cron = cron("* * * * * ?");
        SingletonTrigger trigger = new SingletonTrigger(
                cron, JOB, schedule(cron), KEYS, new SlotOptions(missedFires, Duration.ofHours(1), false));
        assertThat(fire(trigger, 1, second(1))).isEqualTo(Turn.LATER);

        trigger.open(
                LEASE, Map.of(KEYS.reserved(), second(0), KEYS.since(schedule(cron)), NOON), second(0.9), second(1.1));

        assertThat(trigger.next(LEASE)).hasValue(second(1));
    }

    @Test
    void ofSlotsThatAreLateTheLatestIsRunByDefault() {
        SingletonTrigger trigger = opened(MissedFires.ONCE);
        run(trigger, 1);

        assertThat(fire(trigger, 2, second(30.5))).isEqualTo(Turn.OVER);

        assertThat(trigger.next(LEASE)).hasValue(second(30));
        run(trigger, 30);
        assertThat(trigger.next(LEASE)).isEmpty();
        run(trigger, 31);
    }

    /** With its own misfire threshold Quartz goes on with the next slot, and says nothing about those it passed over. */
    @Test
    void slotsThatQuartzPassedOverAreCaughtUpWith() {
        SingletonTrigger trigger = opened(MissedFires.ALL);
        run(trigger, 1);

        assertThat(fire(trigger, 30, second(30.01))).isEqualTo(Turn.LATER);

        for (int second = 2; second <= 30; second++) {
            assertThat(trigger.next(LEASE)).hasValue(second(second));
            trigger.notFired(second(second));
            run(trigger, second);
        }
        assertThat(trigger.next(LEASE)).isEmpty();
    }

    /** As when the lease is suspended at that instant; else all later slots of the grant would wait for it. */
    @Test
    void aCatchUpThatArrivesInVainIsFiredAgain() {
        SingletonTrigger trigger = opened(MissedFires.ALL);
        trigger.lookUpTo(second(2.5));
        assertThat(trigger.next(LEASE)).hasValue(second(1));
        assertThat(trigger.next(LEASE)).as("while it is on its way").isEmpty();

        trigger.notFired(second(1));

        assertThat(trigger.next(LEASE)).hasValue(second(1));
    }

    @Test
    void ofSlotsThatAreLateThoseThatAreNotAreRunEvenIfMissedOnesAreSkipped() {
        Trigger cron = cron("0 * * * * ?");
        SingletonTrigger trigger = new SingletonTrigger(
                cron, JOB, schedule(cron), KEYS, new SlotOptions(MissedFires.SKIP, Duration.ofHours(1), false));
        trigger.open(
                LEASE, Map.of(KEYS.reserved(), NOON, KEYS.since(schedule(cron)), NOON.minusSeconds(60)), NOON, NOON);

        assertThat(fire(trigger, 240, second(240.01))).isEqualTo(Turn.RESERVE);
        trigger.change(LEASE, ledger -> ledger.begun(second(240)));

        assertThat(trigger.next(LEASE)).as("of 60, 120 and 180").isEmpty();
    }

    @Test
    void aSlotThatIsRefusedToAClockThatIsAheadIsStillToCome() {
        SingletonTrigger trigger = opened(MissedFires.SKIP);
        assertThat(fire(trigger, 1, second(1))).isEqualTo(Turn.RESERVE);
        trigger.change(LEASE, ledger -> ledger.refused(second(1)));

        assertThat(fire(trigger, 1, second(1.5))).isEqualTo(Turn.RESERVE);
    }

    @Test
    void aJobThatWasNotLetInRunsUnderTheSameGrantWithoutBeingReservedAnew() {
        SingletonTrigger trigger = opened(MissedFires.SKIP);
        assertThat(fire(trigger, 1, second(1))).isEqualTo(Turn.RESERVE);
        trigger.change(LEASE, ledger -> ledger.begun(second(1)));

        trigger.change(LEASE, ledger -> ledger.notLetIn(second(1), false));

        assertThat(trigger.done(LEASE)).hasValue(second(1).minusMillis(1));
        assertThat(fire(trigger, 2, second(2))).as("behind it").isEqualTo(Turn.LATER);
        assertThat(trigger.next(LEASE)).hasValue(second(1));
        assertThat(trigger.arrive(LEASE, second(1), true, second(2))).isEqualTo(Turn.AGAIN);
        trigger.change(LEASE, ledger -> ledger.ended(second(1)));
        assertThat(trigger.next(LEASE)).hasValue(second(2));
    }

    @Test
    void whatIsGivenUpIsNotWaitedForByTheLowWaterMark() {
        Trigger cron = cron("* * * * * ?");
        SingletonTrigger trigger = new SingletonTrigger(
                cron, JOB, schedule(cron), KEYS, new SlotOptions(MissedFires.ALL, Duration.ofHours(1), true));
        Map<String, Instant> stored = Map.of(
                KEYS.reserved(),
                NOON,
                KEYS.done(),
                NOON.minusSeconds(3),
                KEYS.since(schedule(cron)),
                NOON.minusSeconds(60));
        trigger.open(LEASE, stored, NOON, NOON);
        assertThat(trigger.next(LEASE)).hasValue(NOON.minusSeconds(2));

        Trigger other = cron("0/5 * * * * ?");
        trigger.replace(other, JOB, schedule(other), NOON);

        assertThat(trigger.done(LEASE)).hasValue(NOON);
    }

    /** Slots that are dropped must not look as if they had been cut off. */
    @Test
    void theLowWaterMarkPassesOverSlotsThatWereDropped() {
        SingletonTrigger trigger = opened(MissedFires.ONCE);
        assertThat(trigger.markBefore(LEASE, second(1)))
                .as("after what was dropped at the grant")
                .hasValue(second(1).minusMillis(1));
        run(trigger, 1);
        assertThat(trigger.markBefore(LEASE, second(2))).isEmpty();
        assertThat(fire(trigger, 2, second(2))).isEqualTo(Turn.RESERVE);
        trigger.change(LEASE, ledger -> ledger.begun(second(2)));

        trigger.lookUpTo(second(30.5));

        assertThat(trigger.markBefore(LEASE, second(30)))
                .as("while another runs")
                .isEmpty();
        trigger.change(LEASE, ledger -> ledger.ended(second(2)));
        assertThat(trigger.markBefore(LEASE, second(30))).hasValue(second(30).minusMillis(1));
        run(trigger, 30);
        assertThat(trigger.markBefore(LEASE, second(31))).isEmpty();
    }

    /** Quartz tells of a trigger that is replaced as of one that is removed and one that is added. */
    @Test
    void whatATriggerOwesIsOwedByItsEqualAndByNoOther() {
        SingletonTrigger trigger = opened(MissedFires.ALL);
        Trigger same = cron("* * * * * ?");
        Trigger other = cron("0/5 * * * * ?");
        trigger.lookUpTo(second(2.5));
        assertThat(trigger.next(LEASE)).hasValue(second(1));

        trigger.remove();
        assertThat(trigger.next(LEASE)).as("while it is removed").isEmpty();
        trigger.replace(same, JOB, schedule(same), second(3));
        assertThat(trigger.next(LEASE)).hasValue(second(1));

        trigger.remove();
        trigger.replace(other, JOB, schedule(other), second(3));
        assertThat(trigger.next(LEASE)).isEmpty();
    }

    /** A look may open it before whoever added it comes to that. */
    @Test
    void whatIsAddedUnderAGrantCountsFromThenOnWhoeverOpensItFirst() {
        Trigger trigger = cron("* * * * * ?");
        SingletonTrigger added = new SingletonTrigger(
                trigger, JOB, schedule(trigger), KEYS, new SlotOptions(MissedFires.ONCE, Duration.ofHours(1), false));
        Lease next = new Lease(
                LEASE.name(), LEASE.holder(), new FencingToken(2), AttemptId.unique(), Duration.ofSeconds(30));
        assertThat(added.countsSince(LEASE, second(2))).isEqualTo(second(2));

        added.addedUnder(LEASE, second(1));

        assertThat(added.countsSince(LEASE, second(2))).isEqualTo(second(1));
        assertThat(added.countsSince(LEASE, second(0.5))).isEqualTo(second(0.5));
        assertThat(added.countsSince(next, second(2))).isEqualTo(second(2));
    }
}
