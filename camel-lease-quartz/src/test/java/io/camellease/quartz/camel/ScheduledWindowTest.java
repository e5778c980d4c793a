/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.camellease.core.HolderId;
import io.camellease.policy.LeaseStatus;
import io.camellease.quartz.LogLines;
import io.camellease.quartz.Runs;
import io.camellease.quartz.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import org.apache.camel.routepolicy.quartz.CronScheduledRoutePolicy;
import org.apache.camel.routepolicy.quartz.ScheduledRoutePolicy;
import org.apache.camel.routepolicy.quartz.SimpleScheduledRoutePolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A window of time that closes is closed on all nodes, wherever the lease goes meanwhile, and opens where the lease is. */
@Tag("case")
class ScheduledWindowTest {

    private static final String OFTEN = "timer:often?delay=0&period=50";

    /** How a window is set up. */
    enum Kind {
        STOP_AND_START {
            @Override
            ScheduledRoutePolicy window(Instant closes, Instant opens) {
                CronScheduledRoutePolicy window = new CronScheduledRoutePolicy();
                window.setRouteStopTime(everyMinuteAt(closes));
                window.setRouteStartTime(everyMinuteAt(opens));
                return window;
            }
        },
        SUSPEND_AND_RESUME {
            @Override
            ScheduledRoutePolicy window(Instant closes, Instant opens) {
                CronScheduledRoutePolicy window = new CronScheduledRoutePolicy();
                window.setRouteSuspendTime(everyMinuteAt(closes));
                window.setRouteResumeTime(everyMinuteAt(opens));
                return window;
            }
        },
        DATES {
            @Override
            ScheduledRoutePolicy window(Instant closes, Instant opens) {
                SimpleScheduledRoutePolicy window = new SimpleScheduledRoutePolicy();
                window.setRouteStopDate(Date.from(closes));
                window.setRouteStopRepeatCount(0);
                window.setRouteStartDate(Date.from(opens));
                window.setRouteStartRepeatCount(0);
                return window;
            }
        };

        abstract ScheduledRoutePolicy window(Instant closes, Instant opens);

        private static String everyMinuteAt(Instant time) {
            return time.getEpochSecond() % 60 + " * * * * ?";
        }
    }

    private final Instant closes = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(15);
    private final Instant opens = closes.plusSeconds(15);

    private CamelNode node(String test, String name, Kind kind) throws Exception {
        ScheduledRoutePolicy window = kind.window(closes, opens);
        window.setRouteStopGracePeriod(1000);
        return new CamelNode(test, name).route(OFTEN, window);
    }

    private static void until(Instant time) {
        Waiting.soon().until(() -> Instant.now().isAfter(time));
    }

    private static List<Runs.Run> begunAfter(Runs runs, Instant time) {
        return runs.begun().stream().filter(run -> run.begunAt().isAfter(time)).toList();
    }

    /** Nothing begins before the window opens, and then on one node. A route that is just being stopped may still begin one. */
    private void assertClosedAndThenOpenOnOneNode(Runs runs) {
        until(opens);
        Waiting.soon().until(() -> begunAfter(runs, opens).size() >= 20);
        assertThat(begunAfter(runs, closes.plusSeconds(2)))
                .allSatisfy(run -> assertThat(run.begunAt()).isAfterOrEqualTo(opens));
        assertThat(begunAfter(runs, opens).stream().map(Runs.Run::token).distinct())
                .hasSize(1);
    }

    private static boolean wantsNothing(CamelNode node) {
        return node.service.statuses().stream()
                .flatMap(status -> status.routes().stream())
                .noneMatch(LeaseStatus.RouteStatus::wanted);
    }

    @ParameterizedTest
    @EnumSource
    void aWindowThatClosesIsNotOpenedByTheOtherNode(Kind kind) throws Exception {
        String test = "window-" + kind;
        Runs runs = Runs.of(test);
        try (LogLines log = LogLines.open();
                CamelNode a = node(test, "A", kind).start();
                CamelNode b = node(test, "B", kind)) {
            Waiting.soon().until(() -> !runs.begunOn("A").isEmpty());
            b.start();
            assertThat(Instant.now()).as("both are up in time").isBefore(closes);
            until(closes.plusSeconds(3));
            assertThat(wantsNothing(a)).isTrue();
            assertThat(wantsNothing(b)).isTrue();

            assertClosedAndThenOpenOnOneNode(runs);
            assertThat(log.of(Level.WARN, "by hand", CamelNode.lease(test).value()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STOP_AND_START, true",
        "STOP_AND_START, false",
        "SUSPEND_AND_RESUME, true",
        "SUSPEND_AND_RESUME, false",
        "DATES, true",
        "DATES, false"
    })
    void aNodeThatTakesOverInAClosedWindowWaitsUntilItOpens(Kind kind, boolean contextStops) throws Exception {
        String test = "window-gone-" + kind + contextStops;
        Runs runs = Runs.of(test);
        try (CamelNode a = node(test, "A", kind).start();
                CamelNode b = node(test, "B", kind)) {
            Waiting.soon().until(() -> !runs.begunOn("A").isEmpty());
            b.start();
            assertThat(Instant.now()).as("both are up in time").isBefore(closes);
            until(closes.plusSeconds(3));
            if (contextStops) {
                a.close();
            } else {
                CamelNode.store(test).steal(CamelNode.lease(test), new HolderId("X"), Duration.ofSeconds(3));
            }

            assertClosedAndThenOpenOnOneNode(runs);
        }
    }
}
