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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronTrigger;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** Jobs in a clustered job store that some node changes: Quartz tells the listeners of that node only. A is the holder. */
@Tag("case")
class ClusteredChangesTest {

    /** How long the holder may take on a busy machine to see what another node did: it looks once a second. */
    private static final int UNSEEN_SECONDS = 8;

    @ParameterizedTest
    @ValueSource(strings = {"A", "B"})
    void aJobThatWasDeletedOnSomeNodeDoesNotComeBack(String node) throws Exception {
        try (ClusteredPair pair = ClusteredPair.of("deleted-on-" + node, 4).started("* * * * * ?")) {
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
        String cron = "0/4 * * * * ?";
        try (ClusteredPair pair = ClusteredPair.of("changed-elsewhere", 4).started("* * * * * ?")) {
            Waiting.within(Duration.ofMinutes(2)).until(() -> isRescheduled(pair.b(), cron));
            Instant changed = Instant.now();

            Waiting.soon().until(() -> pair.runs().slots().tailSet(changed).size() >= 2);
            assertThat(pair.runs().slots().tailSet(changed)).allMatch(slot -> slot.getEpochSecond() % 4 == 0);
            assertThat(pair.runs().doubled()).isEmpty();
        }
    }

    /**
     * A node that has the old trigger in hand may write it back over the new one, and then that node the new one over the old
     * one, and so on for a while: it is changed when the new one stayed for two of its periods, else Quartz is told again.
     */
    private static boolean isRescheduled(Scheduler node, String cron) throws SchedulerException {
        node.rescheduleJob(ClusteredPair.TRIGGER, ClusteredPair.everyNow(cron));
        Instant until = Instant.now().plusSeconds(UNSEEN_SECONDS);
        Waiting.soon().until(() -> Instant.now().isAfter(until) || !hasCron(node, cron));
        return hasCron(node, cron);
    }

    private static boolean hasCron(Scheduler node, String cron) throws SchedulerException {
        return node.getTrigger(ClusteredPair.TRIGGER) instanceof CronTrigger trigger
                && trigger.getCronExpression().equals(cron);
    }

    /** Then there may be no holder to see it before it is gone. */
    @Test
    void aOneShotJobThatIsFiredAtOnceOnAnotherNodeIsToldToBeLost() throws Exception {
        try (LogLines log = LogLines.open();
                ClusteredPair pair = ClusteredPair.of("one-shot-at-once", 1)) {
            pair.runs().hold();
            pair.a().scheduleJob(pair.job("job"), ClusteredPair.everyNow("0/2 * * * * ?"));
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
        try (ClusteredPair pair = ClusteredPair.of("one-shot-elsewhere", 1)) {
            pair.runs().hold();
            pair.a().scheduleJob(pair.job("job"), ClusteredPair.everyNow("0/2 * * * * ?"));
            pair.a().start();
            Waiting.soon().until(() -> !pair.runs().begun().isEmpty());
            pair.a().unscheduleJob(ClusteredPair.TRIGGER);
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
