/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.ListenerManager;
import org.quartz.SchedulerException;
import org.quartz.SchedulerListener;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.TriggerListener;
import org.quartz.listeners.SchedulerListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;

/** What is told of a trigger late, when there is another one of its name already. */
@Tag("case")
class StaleTest {

    private static final TriggerKey TRIGGER = new TriggerKey("trigger");

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private void await() {
        arrived.countDown();
        try {
            boolean unused = goOn.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Trigger cron(String expression) {
        return TriggerBuilder.newTrigger()
                .withIdentity(TRIGGER)
                .forJob(QuartzNode.job())
                .withSchedule(CronScheduleBuilder.cronSchedule(expression))
                .build();
    }

    /** Keeps a fire for an odd second, once the job has run, from the lease until the test goes on. */
    private final class OddSeconds extends TriggerListenerSupport {
        private final Runs runs;

        OddSeconds(Runs runs) {
            this.runs = runs;
        }

        @Override
        public String getName() {
            return "odd seconds";
        }

        @Override
        public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
            if (!runs.begun().isEmpty()
                    && arrived.getCount() > 0
                    && context.getScheduledFireTime().toInstant().getEpochSecond() % 2 == 1) {
                await();
            }
            return false;
        }
    }

    private static void addFirst(QuartzNode node, TriggerListener first) throws SchedulerException {
        ListenerManager manager = node.scheduler.getListenerManager();
        List<TriggerListener> others = List.copyOf(manager.getTriggerListeners());
        others.forEach(other -> manager.removeTriggerListener(other.getName()));
        manager.addTriggerListener(first);
        others.forEach(manager::addTriggerListener);
    }

    @Test
    void aFireOfATriggerThatWasReplacedMeanwhileDoesNotBringItBack() throws Exception {
        String test = "stale-fire";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all").cron("* * * * * ?")) {
            addFirst(a, new OddSeconds(runs));
            a.start();
            Waiting.soon().until(() -> arrived.getCount() == 0);
            a.scheduler.rescheduleJob(TRIGGER, cron("0/2 * * * * ?"));
            Instant changed = Instant.now();

            goOn.countDown();

            Waiting.soon().until(() -> runs.slots().tailSet(changed).size() >= 3);
            assertThat(runs.slots().tailSet(changed)).allMatch(slot -> slot.getEpochSecond() % 2 == 0);
        } finally {
            goOn.countDown();
        }
    }

    /** Keeps it from the lease that a trigger was added, until the test goes on. */
    private final class Additions extends SchedulerListenerSupport {
        @Override
        public void jobScheduled(Trigger trigger) {
            await();
        }
    }

    private static void addFirst(QuartzNode node, SchedulerListener first) throws SchedulerException {
        ListenerManager manager = node.scheduler.getListenerManager();
        List<SchedulerListener> others = List.copyOf(manager.getSchedulerListeners());
        others.forEach(manager::removeSchedulerListener);
        manager.addSchedulerListener(first);
        others.forEach(manager::addSchedulerListener);
    }

    private static boolean isNoted(String test, Trigger trigger) {
        String key = SlotKeys.of(TRIGGER).since(new Schedule(trigger, null, Instant.now()));
        return QuartzNode.store(test).raw(QuartzNode.lease(test)).contains(key);
    }

    private static void replace(QuartzNode node, Trigger trigger) {
        try {
            node.scheduler.rescheduleJob(TRIGGER, trigger);
        } catch (SchedulerException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aTriggerThatFiresBeforeItsReplacementIsToldIsNotedForTheNextHolder() throws Exception {
        String test = "told-late";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            Waiting.soon().until(() -> isNoted(test, cron("0 0 0 1 1 ?")));
            addFirst(a, new Additions());
            CompletableFuture<?> change = CompletableFuture.runAsync(() -> replace(a, cron("* * * * * ?")));
            Waiting.soon().until(() -> !runs.begun().isEmpty());

            goOn.countDown();

            Waiting.soon().until(() -> isNoted(test, cron("* * * * * ?")));
            assertThat(change).succeedsWithin(Duration.ofSeconds(30));
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void aTriggerThatWasReplacedWhileTheLeaseWasSuspendedIsNotedForTheNextHolder() throws Exception {
        String test = "changed-while-suspended";
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            Waiting.soon().until(() -> isNoted(test, cron("0 0 0 1 1 ?")));
            FireGuard guard = a.jobs().all().iterator().next();
            guard.shut();
            a.scheduler.rescheduleJob(TRIGGER, cron("0 0 0 2 2 ?"));

            guard.open(a.elector().lease().orElseThrow());

            Waiting.soon().until(() -> isNoted(test, cron("0 0 0 2 2 ?")));
        }
    }
}
