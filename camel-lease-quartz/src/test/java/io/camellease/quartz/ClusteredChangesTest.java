/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.CronTrigger;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;

/** Jobs in a clustered job store that some node changes: Quartz tells the listeners of that node only. A is the holder. */
@Tag("case")
class ClusteredChangesTest {

    private static final TriggerKey TRIGGER = new TriggerKey("trigger");

    /** How long the holder may take on a busy machine to see what another node did: it looks once a second. */
    private static final int UNSEEN_SECONDS = 8;

    /** Two nodes; each has threads enough for the given number of jobs. */
    private record Pair(String test, Scheduler a, Scheduler b) implements AutoCloseable {

        static Pair of(String test, int threads) throws Exception {
            SharedDatabase database = new SharedDatabase(test);
            return new Pair(test, scheduler(database, test, "A", threads), scheduler(database, test, "B", threads));
        }

        private static Scheduler scheduler(SharedDatabase database, String test, String node, int threads)
                throws SchedulerException {
            Properties properties = database.into(QuartzNode.properties(test, node), test);
            properties.setProperty("org.quartz.plugin.lease.missedFires", "all");
            properties.setProperty("org.quartz.plugin.lease.lease", test);
            properties.setProperty("org.quartz.threadPool.threadCount", String.valueOf(threads));
            // two schedulers of one JVM cannot both be looked up by one name
            SchedulerRepository.getInstance().remove(test);
            return new StdSchedulerFactory(properties).getScheduler();
        }

        JobDetail job(String name) {
            return JobBuilder.newJob(Runs.Recorder.class)
                    .withIdentity(name)
                    .usingJobData("test", test)
                    .build();
        }

        Scheduler node(String name) {
            return name.equals("A") ? a : b;
        }

        Runs runs() {
            return Runs.of(test);
        }

        /** Starts both, and returns when the first one holds the lease and has run the job twice. */
        Pair started(String cron) throws SchedulerException {
            a.scheduleJob(job("job"), everyNow(cron));
            a.start();
            Waiting.soon().until(() -> runs().begun().size() >= 2);
            b.start();
            return this;
        }

        @Override
        public void close() throws SchedulerException {
            runs().letGo();
            a.shutdown(true);
            b.shutdown(true);
        }
    }

    private static Trigger everyNow(String cron) {
        return TriggerBuilder.newTrigger()
                .withIdentity(TRIGGER)
                .withSchedule(CronScheduleBuilder.cronSchedule(cron))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "B"})
    void aJobThatWasDeletedOnSomeNodeDoesNotComeBack(String node) throws Exception {
        try (Pair pair = Pair.of("deleted-on-" + node, 4).started("* * * * * ?")) {
            pair.node(node).deleteJob(QuartzNode.job());
            Instant deleted = Instant.now();

            // what the holder does not know of for a moment
            Waiting.stays(Duration.ofSeconds(UNSEEN_SECONDS + 4), () -> pair.runs()
                    .slots()
                    .tailSet(deleted.plusSeconds(UNSEEN_SECONDS))
                    .isEmpty());
            assertThat(pair.a().checkExists(QuartzNode.job())).isFalse();
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }

    @Test
    void aTriggerThatWasChangedOnAnotherNodeRunsByItsNewTimes() throws Exception {
        try (Pair pair = Pair.of("changed-elsewhere", 4).started("* * * * * ?")) {
            Waiting.soon().until(() -> isRescheduled(pair.b(), "0/4 * * * * ?"));
            Instant changed = Instant.now().plusSeconds(UNSEEN_SECONDS);

            Waiting.soon().until(() -> pair.runs().slots().tailSet(changed).size() >= 2);
            assertThat(pair.runs().slots().tailSet(changed)).allMatch(slot -> slot.getEpochSecond() % 4 == 0);
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }

    /** A node that has the old trigger in hand may write it back over the new one: then Quartz has to be told again. */
    private static boolean isRescheduled(Scheduler node, String cron) throws SchedulerException {
        node.rescheduleJob(TRIGGER, everyNow(cron));
        Waiting.stays(Duration.ofSeconds(3), () -> true);
        return node.getTrigger(TRIGGER) instanceof CronTrigger trigger
                && trigger.getCronExpression().equals(cron);
    }

    /** Then there may be no holder to see it before it is gone. */
    @Test
    void aOneShotJobThatIsFiredAtOnceOnAnotherNodeIsToldToBeLost() throws Exception {
        try (LogLines log = LogLines.open();
                Pair pair = Pair.of("one-shot-at-once", 1)) {
            pair.runs().hold();
            pair.a().scheduleJob(pair.job("job"), everyNow("0/2 * * * * ?"));
            pair.a().start();
            Waiting.soon().until(() -> !pair.runs().begun().isEmpty());
            pair.b().start();

            pair.b()
                    .scheduleJob(
                            pair.job("once"),
                            TriggerBuilder.newTrigger().withIdentity("once").build());

            Waiting.soon().until(() -> !log.of(Level.WARN, "DEFAULT.once", "one-shot-at-once", "is lost")
                    .isEmpty());
            pair.runs().letGo();
        }
    }

    /** Whoever fires it vetoes it, and it is gone; the holder has no thread for it just then. */
    @Test
    void aOneShotJobThatWasAddedAndFiredOnAnotherNodeIsRunOnTheHolder() throws Exception {
        try (Pair pair = Pair.of("one-shot-elsewhere", 1)) {
            pair.runs().hold();
            pair.a().scheduleJob(pair.job("job"), everyNow("0/2 * * * * ?"));
            pair.a().start();
            Waiting.soon().until(() -> !pair.runs().begun().isEmpty());
            pair.a().unscheduleJob(TRIGGER);
            pair.b().start();
            Instant slot = Instant.ofEpochMilli(Instant.now().plusSeconds(4).toEpochMilli());
            pair.b()
                    .scheduleJob(
                            pair.job("once"),
                            TriggerBuilder.newTrigger()
                                    .withIdentity("once")
                                    .startAt(Date.from(slot))
                                    .build());
            Waiting.soon().until(() -> !pair.b().checkExists(new TriggerKey("once")));

            pair.runs().letGo();

            Waiting.soon().until(() -> pair.runs().slots().contains(slot));
            assertThat(pair.runs().begunOn("B")).isEmpty();
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }
}
