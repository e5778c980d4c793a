/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.quartz.Runs;
import io.camellease.quartz.SlowStoreProvider;
import io.camellease.quartz.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;

/** Leased routes that Quartz starts, on two nodes without anything in common but the lease. */
@Tag("case")
class RouteFailoverTest {

    private static final String EVERY_SECOND = "cron=*+*+*+*+*+?";

    @Test
    void aHandOverLosesAndDoublesNothingWithAll() throws Exception {
        String test = "route-all";
        Runs runs = Runs.of(test);
        try (CamelNode a = new CamelNode(test, "A").route("quartz:every?" + EVERY_SECOND);
                CamelNode b = new CamelNode(test, "B").route("quartz:every?" + EVERY_SECOND)) {
            a.policy.setMissedFires("all");
            b.service.setMissedFires("all");
            a.start();
            Waiting.soon().until(a::holds);
            b.start();
            for (int round = 0; round < 2; round++) {
                int fromA = runs.begunOn("A").size();
                Waiting.soon().until(() -> runs.begunOn("A").size() >= fromA + 2);
                a.elector().giveAway();
                int fromB = runs.begunOn("B").size();
                Waiting.soon().until(() -> runs.begunOn("B").size() >= fromB + 2);
                b.elector().giveAway();
            }
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo(Duration.between(runs.slots().first(), runs.slots().last())
                                .toSeconds()
                        + 1);
    }

    /** The lease is given back while a slot is being reserved, which takes a while. */
    @Test
    void c88_aSlotThatIsReservedAtAHandOverIsRunBeforeIt(@TempDir Path home) throws Exception {
        String test = "route-reserving";
        Runs runs = Runs.of(test);
        SlowStoreProvider.write(home.resolve("link"), "memory:" + test, 400, 400);
        try (CamelNode a = new CamelNode(test, "A").route("quartz:every?cron=0/2+*+*+*+*+?")) {
            a.service.setStore("slow:" + home.resolve("link"));
            a.service.setTtl("8s");
            a.service.setMissedFires("all");
            a.start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            Instant slot = runs.slots().last().plusSeconds(2);
            Waiting.soon().until(() -> Instant.now().isAfter(slot.plusMillis(100)));
            a.elector().giveAway();

            Waiting.soon().until(() -> runs.slots().last().isAfter(slot.plusSeconds(2)));
            assertThat(runs.slots()).contains(slot);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    private static boolean hasFired(CamelNode node, Instant slot) throws SchedulerException {
        for (TriggerKey key : node.scheduler().getTriggerKeys(GroupMatcher.anyTriggerGroup())) {
            Trigger trigger = node.scheduler().getTrigger(key);
            if (trigger != null
                    && trigger.getPreviousFireTime() != null
                    && trigger.getPreviousFireTime().toInstant().equals(slot)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void aSlotThatIsReservedWhenItsContextStopsIsRunBeforeIt(@TempDir Path home) throws Exception {
        String test = "route-stopping";
        Runs runs = Runs.of(test);
        SlowStoreProvider.write(home.resolve("link"), "memory:" + test, 400, 400);
        CamelNode a = new CamelNode(test, "A").route("quartz:every?cron=0/2+*+*+*+*+?");
        try (a) {
            a.service.setStore("slow:" + home.resolve("link"));
            a.service.setTtl("8s");
            a.start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            Instant slot = runs.slots().last().plusSeconds(2);
            // on a busy machine Quartz comes to it late
            Waiting.soon().until(() -> hasFired(a, slot));
            Instant fired = Instant.now();
            Waiting.soon().until(() -> Instant.now().isAfter(fired.plusMillis(100)));

            a.close();

            assertThat(runs.slots()).contains(slot);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** A trigger that is paused while its route is held back must not fire what it missed when it is resumed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                EVERY_SECOND,
                EVERY_SECOND + "&deleteJob=false",
                EVERY_SECOND + "&deleteJob=false&pauseJob=true",
                "trigger.repeatInterval=1000"
            })
    void c85_aStandbyThatWasActiveFiresNothingAndFiresAgainWhenItHoldsTheLease(String schedule) throws Exception {
        String test = "c85-" + Integer.toHexString(schedule.hashCode());
        Runs runs = Runs.of(test);
        try (CamelNode a =
                new CamelNode(test, "A").route("quartz:every?" + schedule).start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 2);

            CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(8));
            Waiting.soon().until(() -> !a.holds());
            int before = runs.begun().size();
            Waiting.stays(Duration.ofSeconds(6), () -> runs.begun().size() == before);

            Waiting.soon().until(() -> runs.begun().size() >= before + 3);
            Instant last = runs.begun().get(before - 1).slot();
            Instant next = runs.begun().get(before).slot();
            assertThat(next).as("of 8 missed fires the latest one").isAfter(last.plusSeconds(5));
            assertThat(a.scheduler().getTriggerState(trigger(a))).isEqualTo(Trigger.TriggerState.NORMAL);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    private static TriggerKey trigger(CamelNode node) throws Exception {
        return node.scheduler().getTriggerKeys(org.quartz.impl.matchers.GroupMatcher.anyTriggerGroup()).stream()
                .filter(key -> key.getName().equals("every"))
                .findFirst()
                .orElseThrow();
    }
}
