/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventLogTest {

    private static final Lease LEASE = new Lease(
            MachineBench.NAME, MachineBench.ME, new FencingToken(7), new AttemptId("attempt"), Duration.ofSeconds(30));

    static Stream<Arguments> lines() {
        LeaseRecord held = MachineBench.held(MachineBench.OTHER, 5, 2, Duration.ofSeconds(20));
        return Stream.of(
                Arguments.of(new LeaseEvent.Granted(LEASE), "INFO Lease 'orders' of A#1 token 7 is granted"),
                Arguments.of(
                        new LeaseEvent.AtRisk(LEASE, Duration.ofMillis(900)),
                        "DEBUG Lease 'orders' of A#1 token 7 could not be renewed: work stops in 900 ms unless a renewal succeeds"),
                Arguments.of(
                        new LeaseEvent.AtRisk(LEASE, Duration.ZERO),
                        "WARN Lease 'orders' of A#1 token 7 is in doubt, because a clock jumped: no work begins until a renewal"
                                + " succeeds"),
                Arguments.of(new LeaseEvent.Secured(LEASE), "DEBUG Lease 'orders' of A#1 token 7 is renewed again"),
                Arguments.of(
                        new LeaseEvent.Suspended(LEASE),
                        "WARN Lease 'orders' of A#1 token 7 is about to end: no work begins until a renewal succeeds"),
                Arguments.of(
                        new LeaseEvent.Resumed(LEASE),
                        "INFO Lease 'orders' of A#1 token 7 is renewed in time: work goes on"),
                Arguments.of(
                        new LeaseEvent.Draining(LEASE),
                        "INFO Lease 'orders' of A#1 token 7 is being given back: waiting for the work in flight"),
                Arguments.of(
                        new LeaseEvent.Released(LEASE),
                        "INFO Lease 'orders' of A#1 token 7 is released by this node: the store is told"),
                Arguments.of(
                        new LeaseEvent.Lost(LEASE, LossReason.REFUSED),
                        "WARN Lease 'orders' of A#1 token 7 is lost: the store refused the renewal"),
                Arguments.of(
                        new LeaseEvent.Lost(LEASE, LossReason.EXPIRED),
                        "WARN Lease 'orders' of A#1 token 7 is lost: no renewal succeeded in time"),
                Arguments.of(new LeaseEvent.HolderChanged(held), "INFO Lease 'orders' is held by B#2 token 5: waiting"),
                Arguments.of(
                        new LeaseEvent.RecordWentBack(held, 9),
                        "WARN The record of lease 'orders' went back from token 9 to token 5 renewal 2: it was deleted or"
                                + " restored. This node claims it no earlier than one ttl from now"),
                Arguments.of(
                        new LeaseEvent.RecordUnreadable(MachineBench.NAME, "schema 9"),
                        "ERROR The record of lease 'orders' cannot be read, so nobody can claim it: schema 9"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void namesLeaseHolderAndTokenInThisOrder(LeaseEvent event, String line) {
        try (LogLines log = new LogLines(LeaseElector.class, Level.DEBUG)) {
            EventLog.write(event);

            assertThat(log.all()).containsExactly(line);
            assertThat(event.name()).isEqualTo(MachineBench.NAME);
        }
    }
}
