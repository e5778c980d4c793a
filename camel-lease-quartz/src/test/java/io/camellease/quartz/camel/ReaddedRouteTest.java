/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.quartz.Runs;
import io.camellease.quartz.Waiting;
import java.time.Duration;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A route that Quartz starts and that is removed and added again, while another one keeps the lease that they share. */
@Tag("case")
class ReaddedRouteTest {

    private static final String LEASE = "readded/both";
    private static final String EVERY_FOUR_SECONDS = "quartz:some?cron=0/4+*+*+*+*+?";

    private static CamelNode withAnotherRoute(CamelNode node) throws Exception {
        node.policy.setLeaseName(LEASE);
        node.context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:other").routeId("other").routePolicy(node.policy).log("runs");
            }
        });
        return node;
    }

    @Test
    void slotsThatWereBegunBeforeItWasRemovedAreNotBegunAgain() throws Exception {
        String test = "readded";
        Runs runs = Runs.of(test);
        try (CamelNode a = withAnotherRoute(new CamelNode(test, "A"))
                .route(EVERY_FOUR_SECONDS)
                .start()) {
            Waiting.soon().until(() -> !runs.begun().isEmpty());
            // so that the next grant finds a slot that was reserved before
            CamelNode.store(test).steal(new LeaseName(LEASE), new HolderId("X"), Duration.ofSeconds(1));
            Waiting.soon().until(() -> !a.holds());
            int before = runs.begun().size();
            Waiting.soon().until(() -> runs.begun().size() >= before + 2);

            a.context.getRouteController().stopRoute("job");
            a.context.removeRoute("job");
            a.route(EVERY_FOUR_SECONDS);

            int least = runs.begun().size() + 2;
            Waiting.soon().until(() -> runs.begun().size() >= least);
        }
        assertThat(runs.doubled()).isEmpty();
    }
}
