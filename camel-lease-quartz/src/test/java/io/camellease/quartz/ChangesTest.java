/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.calendar.BaseCalendar;

/** Jobs, triggers and calendars that somebody changes on the holder while it runs. */
@Tag("case")
class ChangesTest {

    private static final TriggerKey TRIGGER = new TriggerKey("trigger");

    /** How a job is deleted. */
    enum Deletion {
        ONE {
            @Override
            void from(Scheduler scheduler) throws SchedulerException {
                scheduler.deleteJob(QuartzNode.job());
            }
        },
        SOME {
            @Override
            void from(Scheduler scheduler) throws SchedulerException {
                scheduler.deleteJobs(List.of(QuartzNode.job()));
            }
        },
        ALL {
            @Override
            void from(Scheduler scheduler) throws SchedulerException {
                scheduler.clear();
            }
        };

        abstract void from(Scheduler scheduler) throws SchedulerException;
    }

    /** Lets only the seconds through that a number divides. */
    static final class Every extends BaseCalendar {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int seconds;

        Every(int seconds) {
            this.seconds = seconds;
        }

        @Override
        public boolean isTimeIncluded(long time) {
            return time / 1000 % seconds == 0;
        }

        @Override
        public long getNextIncludedTime(long time) {
            long next = time + 1;
            while (!isTimeIncluded(next)) {
                next++;
            }
            return next;
        }
    }

    /** As after a renewal that was late. */
    private static void lookAgain(QuartzNode node) throws SchedulerException {
        FireGuard guard = node.jobs().all().iterator().next();
        node.elector().lease().ifPresent(guard::open);
    }

    private static void staysWithoutRuns(QuartzNode node, Duration time) {
        Runs runs = Runs.of(node.test);
        // one may be on its way
        int most = runs.begun().size() + 1;
        Waiting.stays(time, () -> {
            lookAgain(node);
            return runs.begun().size() <= most;
        });
    }

    @ParameterizedTest
    @EnumSource(Deletion.class)
    void aJobThatWasDeletedDoesNotComeBack(Deletion deletion) throws Exception {
        String test = "deleted-" + deletion;
        Runs runs = Runs.of(test);
        try (QuartzNode a =
                new QuartzNode(test, "A", "missedFires=all").cron("* * * * * ?").start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 2);

            deletion.from(a.scheduler);

            staysWithoutRuns(a, Duration.ofSeconds(4));
            assertThat(a.scheduler.checkExists(QuartzNode.job())).isFalse();
        }
    }

    @Test
    void aTriggerThatIsPausedRunsNothingUntilItIsResumed() throws Exception {
        String test = "paused";
        Runs runs = Runs.of(test);
        try (QuartzNode a =
                new QuartzNode(test, "A", "missedFires=all").cron("* * * * * ?").start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            a.scheduler.pauseTrigger(TRIGGER);

            staysWithoutRuns(a, Duration.ofSeconds(4));

            int before = runs.begun().size();
            a.scheduler.resumeTrigger(TRIGGER);
            Waiting.soon().until(() -> runs.begun().size() >= before + 4);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                        runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** Quartz says nothing about a slot that it passes over when a trigger is resumed, and the next one is far away. */
    @Test
    void aSlotThatFellDueWhileItsTriggerWasPausedIsRunWhenItIsResumed() throws Exception {
        String test = "paused-over";
        Runs runs = Runs.of(test);
        Instant slot = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 6);
        try (QuartzNode a = new QuartzNode(test, "A")
                .job(
                        Runs.Recorder.class,
                        CronScheduleBuilder.cronSchedule(slot.getEpochSecond() % 60 + " * * * * ?")
                                .withMisfireHandlingInstructionDoNothing())
                .start()) {
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));
            a.scheduler.pauseJob(QuartzNode.job());
            Waiting.soon().until(() -> Instant.now().isAfter(slot.plusSeconds(8)));
            assertThat(runs.begun()).isEmpty();

            a.scheduler.resumeJob(QuartzNode.job());

            Waiting.soon().until(() -> !runs.begun().isEmpty());
        }
        assertThat(runs.slots().first()).isEqualTo(slot);
    }

    private static Trigger nowAndThenDaily(String name) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .forJob(QuartzNode.job())
                .startNow()
                .withSchedule(SimpleScheduleBuilder.repeatHourlyForever(24))
                .build();
    }

    @Test
    void aTriggerThatStartsNowRunsAtOnceWhetherItIsAddedOrTakesThePlaceOfAnother() throws Exception {
        String test = "starts-now";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));

            a.scheduler.scheduleJob(nowAndThenDaily("added"));
            Waiting.soon().until(() -> runs.begun().size() == 1);
            a.scheduler.rescheduleJob(TRIGGER, nowAndThenDaily("trigger"));
            Waiting.soon().until(() -> runs.begun().size() == 2);

            Waiting.stays(Duration.ofSeconds(1), () -> runs.begun().size() == 2);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** It is due at once, as in Quartz, however long its time is over. */
    @ParameterizedTest
    @ValueSource(longs = {4, 60})
    void aTriggerThatIsOverdueRunsAtOnce(long seconds) throws Exception {
        String test = "overdue-" + seconds;
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron("0 0 0 1 1 ?").start()) {
            Waiting.soon()
                    .until(() ->
                            QuartzNode.store(test).raw(QuartzNode.lease(test)).contains("#since:"));

            a.scheduler.scheduleJob(TriggerBuilder.newTrigger()
                    .withIdentity("overdue")
                    .forJob(QuartzNode.job())
                    .startAt(Date.from(Instant.now().minusSeconds(seconds)))
                    .build());

            Waiting.soon().until(() -> runs.begun().size() == 1);
            Waiting.stays(Duration.ofSeconds(2), () -> runs.begun().size() == 1);
        }
    }

    private static Trigger everySecondOf(String calendar) {
        return every("* * * * * ?", calendar);
    }

    private static Trigger every(String cron, String calendar) {
        return TriggerBuilder.newTrigger()
                .withIdentity(TRIGGER)
                .modifiedByCalendar(calendar)
                .withSchedule(CronScheduleBuilder.cronSchedule(cron))
                .build();
    }

    @Test
    void timesThatACalendarNewlyLetsThroughAreRun() throws Exception {
        String test = "calendar-wider";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A")) {
            a.scheduler.addCalendar("some", new Every(4), false, false);
            a.job(Runs.Recorder.class, everySecondOf("some")).start();
            Waiting.soon().until(() -> !runs.begun().isEmpty());

            a.scheduler.addCalendar("some", new Every(2), true, true);

            Waiting.soon().until(() -> runs.slots().stream().anyMatch(slot -> slot.getEpochSecond() % 4 == 2));
        }
        assertThat(runs.slots()).allMatch(slot -> slot.getEpochSecond() % 2 == 0);
    }

    @Test
    void timesThatACalendarNewlyLeavesOutAreNotRun() throws Exception {
        String test = "calendar-narrower";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all")) {
            a.scheduler.addCalendar("some", new Every(1), false, false);
            a.job(Runs.Recorder.class, everySecondOf("some")).start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);

            a.scheduler.addCalendar("some", new Every(4), true, true);
            // what was on its way
            Instant changed = Instant.now().plusSeconds(1);

            Waiting.soon().until(() -> runs.slots().tailSet(changed).size() >= 2);
            assertThat(runs.slots().tailSet(changed)).allMatch(slot -> slot.getEpochSecond() % 4 == 0);
        }
    }

    /** Quartz tells nobody that a calendar was replaced, and what it passes over from then on is not overlooked. */
    @Test
    void timesThatACalendarNewlyLeavesOutAreNotCaughtUpWith() throws Exception {
        String test = "calendar-closed";
        Runs runs = Runs.of(test);
        // a trigger that it has acquired already is fired once more, which tells of the calendar
        try (QuartzNode a = new QuartzNode(test, "A", "org.quartz.scheduler.idleWaitTime=1000", "missedFires=all")) {
            a.scheduler.addCalendar("some", new Every(1), false, false);
            a.job(Runs.Recorder.class, every("0/5 * * * * ?", "some")).start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);

            a.scheduler.addCalendar("some", new Every(3600), true, true);
            Instant changed = Instant.now();

            Waiting.stays(Duration.ofSeconds(8), () -> runs.slots().tailSet(changed).stream()
                    .allMatch(slot -> slot.getEpochSecond() % 3600 == 0));
        }
    }
}
