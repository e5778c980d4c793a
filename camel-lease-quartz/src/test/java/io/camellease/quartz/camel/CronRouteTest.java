/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.HolderId;
import io.camellease.policy.LeaseLostException;
import io.camellease.quartz.Runs;
import io.camellease.quartz.UnlistableJobs;
import io.camellease.quartz.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.component.quartz.QuartzComponent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.impl.StdSchedulerFactory;

/** What a scheduled route finds in its exchanges, and its options. */
@Tag("case")
class CronRouteTest {

    @Test
    void aCronRouteCatchesUpAsAQuartzRouteDoes() throws Exception {
        String test = "cron-route";
        Runs runs = Runs.of(test);
        try (CamelNode a = new CamelNode(test, "A").route("cron:tab?schedule=*+*+*+*+*+?")) {
            a.policy.setMissedFires("all");
            a.start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);

            CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(4));
            Waiting.soon().until(() -> !a.holds());
            Waiting.soon().until(a::holds);
            int before = runs.begun().size();
            Waiting.soon().until(() -> runs.begun().size() >= before + 6);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                        runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** What a route has not learnt at its first start it learns at the next one. */
    @Test
    void aRouteIsStartedWhenItsJobStoreCanBeRead() throws Exception {
        String test = "unlistable";
        AtomicInteger listings = new AtomicInteger();
        Scheduler scheduler = new StdSchedulerFactory(CamelNode.quartzProperties(test, "A")).getScheduler();
        try (CamelNode a = new CamelNode(test, "A")) {
            a.context
                    .getComponent("quartz", QuartzComponent.class)
                    .setScheduler(UnlistableJobs.once(scheduler, listings));
            a.route("quartz:every?cron=*+*+*+*+*+?").start();

            Waiting.soon().until(() -> Runs.of(test).begun().size() >= 2);
            assertThat(listings).hasValueGreaterThanOrEqualTo(2);
        } finally {
            scheduler.shutdown();
        }
    }

    @Test
    void aWrongOptionRefusesTheStart() throws Exception {
        try (CamelNode a = new CamelNode("wrong-option", "A").route("quartz:every?cron=*+*+*+*+*+?")) {
            a.policy.setMissedFires("twice");

            assertThatThrownBy(a::start).hasStackTraceContaining("camel.lease.missedFires='twice' must be once");
        }
        assertThat(Runs.of("wrong-option").begun()).isEmpty();
    }

    /** As after a check of some lease, or a call of another leased route. */
    @Test
    void aRouteThatFailsSinceSomeLeaseIsLostHasRun() throws Exception {
        String test = "fails-lost";
        Runs runs = Runs.of(test);
        try (CamelNode a = new CamelNode(test, "A").route("quartz:every?cron=0/3+*+*+*+*+?")) {
            a.then = exchange -> {
                throw new LeaseLostException("that of somebody else");
            };
            a.start();

            Waiting.soon().until(() -> runs.slots().size() >= 2);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    @Test
    void c93_aTriggerThatRepeatsSevenTimesDoesSoInTheClusterAndNotPerGrant() throws Exception {
        String test = "c93";
        Runs runs = Runs.of(test);
        try (CamelNode a = new CamelNode(test, "A")
                .route("quartz:some?trigger.repeatCount=7&trigger.repeatInterval=1000")
                .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            Instant first = runs.begun().get(0).slot();

            CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(1));
            Waiting.soon().until(() -> !a.holds());
            Waiting.soon().until(a::holds);

            Waiting.soon().until(() -> Instant.now().isAfter(first.plusSeconds(9)));
            int before = runs.begun().size();
            assertThat(before).isBetween(2, 8);
            Waiting.stays(Duration.ofSeconds(2), () -> runs.begun().size() == before);
        }
        assertThat(runs.doubled()).isEmpty();
    }
}
