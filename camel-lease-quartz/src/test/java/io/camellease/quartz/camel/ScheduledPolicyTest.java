/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.HolderId;
import io.camellease.quartz.Runs;
import io.camellease.quartz.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.apache.camel.routepolicy.quartz.CronScheduledRoutePolicy;
import org.apache.camel.routepolicy.quartz.SimpleScheduledRoutePolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A route with a window of time and a lease runs when both say so. */
@Tag("case")
class ScheduledPolicyTest {

    private static final String EVERY_SECOND = "quartz:every?cron=*+*+*+*+*+?";

    @Test
    void aWindowThatOpensStartsTheRouteOnTheHolderOnly() throws Exception {
        String test = "window-opens";
        Runs runs = Runs.of(test);
        Date opens = Date.from(Instant.now().plusSeconds(5));
        try (CamelNode a = closedAtFirst(test, "A").route(EVERY_SECOND, startAt(opens));
                CamelNode b = closedAtFirst(test, "B").route(EVERY_SECOND, startAt(opens))) {
            a.start();
            b.start();
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            assertThat(runs.begun().get(0).begunAt()).isAfterOrEqualTo(opens.toInstant());
            CamelNode holder = a.holds() ? a : b;
            CamelNode other = holder == a ? b : a;

            CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(3));
            Waiting.soon().until(() -> !holder.holds());
            int before = runs.begun().size();
            Waiting.soon().until(() -> runs.begun().size() >= before + 2);
            assertThat(other.test).isEqualTo(test);
        }
        assertThat(runs.doubled()).isEmpty();
    }

    /** A window that is to open starts the route; it does not keep the context from starting it. */
    private static CamelNode closedAtFirst(String test, String name) {
        CamelNode node = new CamelNode(test, name);
        node.autoStartup = false;
        return node;
    }

    private static SimpleScheduledRoutePolicy startAt(Date date) {
        SimpleScheduledRoutePolicy policy = new SimpleScheduledRoutePolicy();
        policy.setRouteStartDate(date);
        policy.setRouteStartRepeatCount(0);
        policy.setRouteStartRepeatInterval(3000);
        return policy;
    }

    @Test
    void aWindowThatClosesStopsTheRouteOfTheHolder() throws Exception {
        String test = "window-closes";
        Runs runs = Runs.of(test);
        CronScheduledRoutePolicy window = new CronScheduledRoutePolicy();
        Instant closes = Instant.now().plusSeconds(6);
        int second = (int) (closes.getEpochSecond() % 60);
        window.setRouteStopTime(second + " * * * * ?");
        window.setRouteStopGracePeriod(1000);
        window.setTimeUnit(java.util.concurrent.TimeUnit.MILLISECONDS);
        try (CamelNode a = new CamelNode(test, "A").route(EVERY_SECOND, window).start()) {
            Waiting.soon().until(() -> runs.begun().size() >= 2);
            Route route = a.context.getRoute("job");
            // once a minute, and not before the route runs
            Waiting.within(Duration.ofSeconds(90))
                    .until(() -> a.context.getRouteController().getRouteStatus(route.getId()) == ServiceStatus.Stopped);
            int before = runs.begun().size();
            Waiting.stays(Duration.ofSeconds(4), () -> runs.begun().size() == before);
        }
    }
}
