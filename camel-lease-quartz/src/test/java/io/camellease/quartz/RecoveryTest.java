/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseEvent;
import io.camellease.quartz.Runs.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;

/** What becomes of jobs that run while their lease ends. */
@Tag("case")
class RecoveryTest {

    private static final String EVERY_SECOND = "* * * * * ?";

    private static QuartzNode node(String test, String name, String... options) throws Exception {
        return new QuartzNode(test, name, options)
                .job(Runs.OneAtATime.class, CronScheduleBuilder.cronSchedule("0/3 * * * * ?"));
    }

    private static QuartzNode holderThatRuns(Runs runs, String test, String... options) throws Exception {
        runs.hold();
        QuartzNode a = node(test, "A", options).start();
        Waiting.soon().until(() -> !runs.begun().isEmpty());
        return a;
    }

    @Test
    void aSlotThatWasCutOffIsLostByDefault() throws Exception {
        String test = "recover-not";
        Runs runs = Runs.of(test);
        QuartzNode a = holderThatRuns(runs, test);
        try (QuartzNode b = node(test, "B").start()) {
            a.kill();
            Waiting.soon().until(() -> !runs.begunOn("B").isEmpty());
            runs.letGo();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 2);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.begun()).noneMatch(Run::recovering);
    }

    @Test
    void aSlotThatWasCutOffIsRunAgainAndMarkedIfSoSet() throws Exception {
        String test = "recover";
        Runs runs = Runs.of(test);
        String[] options = {"recoverInFlight=true", "missedFires=all"};
        QuartzNode a = holderThatRuns(runs, test, options);
        Instant cutOff = runs.begun().get(0).slot();
        try (QuartzNode b = node(test, "B", options).start()) {
            a.kill();
            Waiting.soon().until(() -> !runs.begunOn("B").isEmpty());
            runs.letGo();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 3);

            assertThat(runs.begunOn("B").get(0).slot()).isEqualTo(cutOff);
            assertThat(runs.begunOn("B").get(0).recovering()).isTrue();
            assertThat(runs.begunOn("B").stream().filter(Run::recovering)).hasSize(1);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo(Duration.between(cutOff, runs.slots().last()).toSeconds() / 3 + 1);
    }

    /** They lie between the last slot that has ended and the one that is cut off. */
    @Test
    void slotsThatWereDroppedAreNotRunAgain() throws Exception {
        String test = "recover-dropped";
        Runs runs = Runs.of(test);
        String[] options = {"recoverInFlight=true"};
        try (QuartzNode b = everySecondOneAtATime(test, "B", options)) {
            QuartzNode a = everySecondOneAtATime(test, "A", options).start();
            Waiting.soon().until(() -> runs.ended().size() >= 2);
            Waiting.soon().until(() -> isBetweenSlots(runs));
            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(6));
            Waiting.soon().until(() -> !a.holds());
            int before = runs.begun().size();
            runs.hold();
            Waiting.soon().until(() -> runs.begun().size() > before);
            Instant cutOff = runs.begun().get(before).slot();
            assertThat(cutOff).isAfter(runs.begun().get(before - 1).slot().plusSeconds(3));
            a.kill();
            b.start();
            Waiting.soon().until(() -> !runs.begunOn("B").isEmpty());
            runs.letGo();

            Waiting.soon().until(() -> runs.begunOn("B").size() >= 3);
            assertThat(runs.begunOn("B").stream().filter(Run::recovering).map(Run::slot))
                    .containsExactly(cutOff);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    private static QuartzNode everySecondOneAtATime(String test, String name, String... options) throws Exception {
        return new QuartzNode(test, name, options)
                .job(Runs.OneAtATime.class, CronScheduleBuilder.cronSchedule(EVERY_SECOND));
    }

    /** What ran last has ended for so long that the store knows it. */
    private static boolean isBetweenSlots(Runs runs) {
        long millis = Instant.now().toEpochMilli() % 1000;
        return millis > 500
                && millis < 700
                && runs.ended().size() == runs.begun().size();
    }

    @Test
    void aJobThatEndsBeforeTheLeaseIsGivenBackIsNotRunAgain() throws Exception {
        String test = "recover-graceful";
        Runs runs = Runs.of(test);
        String[] options = {"recoverInFlight=true", "missedFires=all"};
        try (QuartzNode b = new QuartzNode(test, "B", options).cron(EVERY_SECOND)) {
            try (QuartzNode a =
                    new QuartzNode(test, "A", options).cron(EVERY_SECOND).start()) {
                Waiting.soon().until(() -> runs.begun().size() >= 2);
                b.start();
            }
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 2);
        }
        assertThat(runs.begun()).noneMatch(Run::recovering);
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo(Duration.between(runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** Scheduler.shutdown(true) waits for the jobs, and the lease for them too. */
    @Test
    void theLeaseIsGivenBackAfterTheJobHasEnded() throws Exception {
        String test = "drain";
        Runs runs = Runs.of(test);
        QuartzNode a = holderThatRuns(runs, test);
        Thread shutdown = new Thread(() -> close(a));
        shutdown.start();
        try (QuartzNode b = node(test, "B").start()) {
            Waiting.stays(Duration.ofSeconds(4), () -> !b.holds());

            runs.letGo();

            Waiting.within(Duration.ofSeconds(2)).until(b::holds);
            shutdown.join(10_000);
            assertThat(shutdown.isAlive()).isFalse();
        }
        assertThat(runs.ended()).hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    void jobsAreInterruptedAtALossIfSoSet() throws Exception {
        String test = "interrupt";
        Runs runs = Runs.of(test);
        runs.hold();
        try (QuartzNode a = new QuartzNode(test, "A", "interruptOnLoss=true")
                .cron("0/3 * * * * ?")
                .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());

            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(60));

            Waiting.soon().until(() -> !runs.interrupted().isEmpty());
        }
    }

    /** All leases of a node have one thread for what happens to them. */
    @Test
    void aJobThatIsSlowToBeInterruptedKeepsNobodyFromBeingTold() throws Exception {
        String test = "interrupt-slow";
        Runs runs = Runs.of(test);
        runs.hold();
        AtomicInteger lost = new AtomicInteger();
        try (QuartzNode a = new QuartzNode(test, "A", "interruptOnLoss=true")
                .job(Runs.Stubborn.class, CronScheduleBuilder.cronSchedule("0/3 * * * * ?"))
                .start()) {
            a.jobs().addListener(event -> {
                if (event instanceof LeaseEvent.Lost) {
                    lost.incrementAndGet();
                }
            });
            Waiting.soon().until(() -> !runs.begun().isEmpty());

            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(60));

            Waiting.soon().until(() -> lost.get() == 1);
            runs.letGo();
        } finally {
            runs.letGo();
        }
    }

    /** While a job of an old grant runs, its node is no candidate. */
    @Test
    void c91_aLongJobRunsOnceAlthoughItsPeerIsRestartedAndItsLeaseWasLost() throws Exception {
        String test = "c91";
        Runs runs = Runs.of(test);
        runs.hold();
        try (QuartzNode a = new QuartzNode(test, "A")
                .job(Runs.OneAtATime.class, CronScheduleBuilder.cronSchedule("0/2 * * * * ?"))
                .start()) {
            Waiting.soon().until(() -> runs.begun().size() == 1);
            for (int restart = 0; restart < 3; restart++) {
                QuartzNode b = new QuartzNode(test, "B")
                        .job(Runs.OneAtATime.class, CronScheduleBuilder.cronSchedule("0/2 * * * * ?"))
                        .start();
                Waiting.stays(Duration.ofMillis(1500), () -> runs.begun().size() == 1 && !b.holds());
                b.kill();
            }
            QuartzNode.store(test).steal(QuartzNode.lease(test), new HolderId("X"), Duration.ofSeconds(1));
            Waiting.soon().until(() -> !a.holds());
            Waiting.stays(
                    Duration.ofSeconds(4), () -> !a.holds() && runs.begun().size() == 1);

            runs.letGo();

            Waiting.soon().until(() -> runs.begun().size() >= 3);
        }
        assertThat(runs.doubled()).isEmpty();
        List<Instant> slots = runs.begun().stream().map(Run::slot).toList();
        assertThat(slots).isSorted();
    }

    private static void close(QuartzNode node) {
        try {
            node.close();
        } catch (org.quartz.SchedulerException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
