/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.quartz.Runs;
import io.camellease.quartz.SharedDatabase;
import io.camellease.quartz.Waiting;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.impl.SchedulerRepository;

/** Leased routes of nodes that share a clustered job store. */
@Tag("case")
class ClusteredRouteTest {

    private static CamelNode node(SharedDatabase database, String test, String name) throws Exception {
        Properties properties = database.into(CamelNode.quartzProperties(test, name), test);
        properties.setProperty("org.quartz.scheduler.instanceId", name);
        CamelNode node = new CamelNode(test, name, properties);
        node.context.getCamelContextExtension().setName(test);
        node.service.setMissedFires("all");
        return node.route("quartz:some/every?cron=0/2+*+*+*+*+?");
    }

    @Test
    void c86_losingTheLeaseNeitherPausesNorRemovesTheSharedTrigger() throws Exception {
        String test = "c86-route";
        Runs runs = Runs.of(test);
        SharedDatabase database = new SharedDatabase(test);
        try (CamelNode a = node(database, test, "A").start()) {
            Waiting.soon().until(a::holds);
            // two schedulers of one JVM cannot both be looked up by one name
            SchedulerRepository.getInstance().remove(test);
            try (CamelNode b = node(database, test, "B").start()) {
                Waiting.soon().until(() -> runs.begunOn("A").size() >= 2);
                a.elector().giveAway();
                Waiting.soon().until(() -> runs.begunOn("B").size() >= 2);
                assertThat(database.triggerState("every")).isIn("WAITING", "ACQUIRED");

                CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(2));
                Waiting.soon().until(() -> !b.holds());
                assertThat(database.triggerState("every")).isIn("WAITING", "ACQUIRED");
            }
            assertThat(database.triggerState("every")).isIn("WAITING", "ACQUIRED");
            int before = runs.begunOn("A").size();
            Waiting.soon().until(() -> runs.begunOn("A").size() >= before + 2);
        }
        assertThat(runs.doubled()).isEmpty();
        assertThat(runs.slots().size())
                .isEqualTo((int) Duration.between(
                                                runs.slots().first(),
                                                runs.slots().last())
                                        .toSeconds()
                                / 2
                        + 1);
    }
}
