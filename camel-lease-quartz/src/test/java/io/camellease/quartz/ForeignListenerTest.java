/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Trigger;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;

/** Quartz drops a run when somebody's listener throws, and tells nobody: the lease must not wait for its end for ever. */
class ForeignListenerTest {

    /** Where a listener throws. */
    enum Where {
        FIRED,
        VETO,
        TO_BE_EXECUTED,
        WAS_EXECUTED
    }

    private final AtomicInteger thrown = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(Where.class)
    void theLeaseIsGivenBackAlthoughAListenerThrows(Where where) throws Exception {
        String test = "foreign-" + where;
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all").cron("* * * * * ?");
                QuartzNode b = new QuartzNode(test, "B", "missedFires=all").cron("* * * * * ?")) {
            addListeners(a, where);
            a.start();
            Waiting.soon().until(() -> thrown.get() >= 2);
            b.start();

            a.elector().giveAway();
            Waiting.soon().until(b::holds);

            Waiting.soon().until(() -> !Runs.of(test).begunOn("B").isEmpty());
            assertThat(Runs.of(test).doubled()).isEmpty();
        }
    }

    private void addListeners(QuartzNode node, Where where) throws Exception {
        node.scheduler.getListenerManager().addTriggerListener(new Triggers(where));
        node.scheduler.getListenerManager().addJobListener(new Jobs(where));
    }

    private void throwIf(boolean isHere) {
        if (isHere) {
            thrown.incrementAndGet();
            throw new IllegalStateException("a listener's mistake");
        }
    }

    private final class Triggers extends TriggerListenerSupport {
        private final Where where;

        Triggers(Where where) {
            this.where = where;
        }

        @Override
        public String getName() {
            return "foreign";
        }

        @Override
        public void triggerFired(Trigger trigger, JobExecutionContext context) {
            throwIf(where == Where.FIRED);
        }

        @Override
        public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
            throwIf(where == Where.VETO);
            return false;
        }
    }

    private final class Jobs extends JobListenerSupport {
        private final Where where;

        Jobs(Where where) {
            this.where = where;
        }

        @Override
        public String getName() {
            return "foreign";
        }

        @Override
        public void jobToBeExecuted(JobExecutionContext context) {
            throwIf(where == Where.TO_BE_EXECUTED);
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException failed) {
            throwIf(where == Where.WAS_EXECUTED);
        }
    }
}
