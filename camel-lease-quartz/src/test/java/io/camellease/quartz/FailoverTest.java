/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.LeaseName;
import io.camellease.quartz.Runs.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two schedulers without anything in common but the lease. */
@Tag("case")
class FailoverTest {

    private static final String EVERY_SECOND = "* * * * * ?";

    private static void awaitHolder(QuartzNode node) {
        Waiting.soon().until(node::holds);
    }

    @Test
    void aStandbyFiresNothing() throws Exception {
        String test = "standby";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A").cron(EVERY_SECOND).start()) {
            awaitHolder(a);
            try (QuartzNode b = new QuartzNode(test, "B").cron(EVERY_SECOND).start()) {
                Waiting.soon().until(() -> runs.begunOn("A").size() >= 3);
                assertThat(runs.begunOn("B")).isEmpty();
                assertThat(b.holds()).isFalse();
            }
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.begun()).allSatisfy(run -> assertThat(run.token()).isPositive());
    }

    /** With all, each slot is begun once over graceful hand-overs and kills alike, apart from those in flight at a kill. */
    @Test
    void c81_everySlotIsBegunOnceWithAll() throws Exception {
        String test = "c81-all";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=all")
                        .cron(EVERY_SECOND)
                        .start();
                QuartzNode b = new QuartzNode(test, "B", "missedFires=all").cron(EVERY_SECOND)) {
            awaitHolder(a);
            b.start();
            Waiting.soon().until(() -> runs.begunOn("A").size() >= 2);
            a.kill();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 4);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(missing(runs)).isEmpty();
    }

    @Test
    void c81_onlyTheLatestMissedSlotIsBegunByDefault() throws Exception {
        String test = "c81-once";
        Runs runs = Runs.of(test);
        try (QuartzNode a =
                        new QuartzNode(test, "A", "ttl=5s").cron(EVERY_SECOND).start();
                QuartzNode b = new QuartzNode(test, "B", "ttl=5s").cron(EVERY_SECOND)) {
            awaitHolder(a);
            b.start();
            Waiting.soon().until(() -> !runs.begunOn("A").isEmpty());
            a.kill();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 2);

            Instant last = runs.begunOn("A").get(runs.begunOn("A").size() - 1).slot();
            List<Run> caughtUp = runs.begunOn("B").stream()
                    .filter(run -> run.slot().isBefore(grantedAt(b)))
                    .toList();
            assertThat(caughtUp).hasSize(1);
            assertThat(caughtUp.get(0).slot()).isAfter(last.plusSeconds(1));
        }
        assertThat(runs.doubled()).isEmpty();
    }

    @Test
    void c81_noMissedSlotIsBegunWithSkip() throws Exception {
        String test = "c81-skip";
        Runs runs = Runs.of(test);
        try (QuartzNode a = new QuartzNode(test, "A", "missedFires=skip")
                        .cron(EVERY_SECOND)
                        .start();
                QuartzNode b = new QuartzNode(test, "B", "missedFires=skip").cron(EVERY_SECOND)) {
            awaitHolder(a);
            b.start();
            Waiting.soon().until(() -> !runs.begunOn("A").isEmpty());
            a.kill();
            Waiting.soon().until(() -> runs.begunOn("B").size() >= 2);

            assertThat(runs.begunOn("B"))
                    .allSatisfy(run -> assertThat(run.slot()).isAfter(grantedAt(b)));
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** By the clock of the store, which is the clock of the nodes. */
    private static Instant grantedAt(QuartzNode node) {
        LeaseName name = QuartzNode.lease(node.test);
        return QuartzNode.store(node.test)
                .find(List.of(name))
                .records()
                .get(name)
                .acquiredAt()
                .orElseThrow();
    }

    private static List<Instant> missing(Runs runs) {
        NavigableSet<Instant> slots = runs.slots();
        List<Instant> missing = new ArrayList<>();
        for (Instant slot = slots.first(); slot.isBefore(slots.last()); slot = slot.plus(Duration.ofSeconds(1))) {
            if (!slots.contains(slot)) {
                missing.add(slot);
            }
        }
        return missing;
    }
}
