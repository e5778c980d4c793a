/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The module that has each scheduled time run once is not on the class path of these tests. */
@CaseTest
class UnguardedScheduleTest {

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @Test
    void aRouteWithAScheduleIsWarnedOfOnceAndOthersAreNot() throws Exception {
        Node a = cluster.node("A");
        try (LogLines log = LogLines.open()) {
            a.routes(routes -> {
                routes.from("quartz:unguarded?cron=0+0+2+*+*+?")
                        .routeId("unguarded-schedule")
                        .routePolicyRef("lease")
                        .to("mock:unguarded");
                routes.from("timer:unguarded?period=60000")
                        .routeId("no-schedule-at-all")
                        .routePolicyRef("lease")
                        .to("mock:unguarded");
            });
            a.start();
            soon().until(() -> a.holds("unguarded-schedule") && a.holds("no-schedule-at-all"));

            assertThat(log.of(Level.WARN, "'unguarded-schedule'"))
                    .singleElement()
                    .asString()
                    .contains("a fire may be run twice", "io.camellease:camel-lease-quartz");
            assertThat(log.of(Level.WARN, "'no-schedule-at-all'", "schedule")).isEmpty();
        }
    }
}
