/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.Validity.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** U is 20 s and E 25 s after the send, which is at second 0 of both clocks. */
class ValidityTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Lease LEASE = new Lease(
            new LeaseName("orders"),
            new HolderId("A#1"),
            new FencingToken(7),
            new AttemptId("attempt"),
            Duration.ofSeconds(30));

    private final Validity validity = new Validity(LEASE, at(0, 0), 20 * SECOND, 25 * SECOND, null);

    private static Moment at(long second, long wallSecond) {
        // so that the reading overflows between second 5 and 6, as a monotonic clock may
        return new Moment(Long.MAX_VALUE - 5 * SECOND + second * SECOND, wallSecond * 1000);
    }

    @Test
    void isOpenUntilU() {
        assertThat(validity.at(at(19, 19))).isEqualTo(Verdict.OPEN);
        assertThat(validity.at(at(20, 20))).isEqualTo(Verdict.CLOSED);
    }

    @Test
    void isOverAtE() {
        assertThat(validity.isOver(at(24, 24))).isFalse();
        assertThat(validity.isOver(at(25, 25))).isTrue();
    }

    @Test
    void isSuspectIfOnlyTheWallClockSaysThatUHasPassed() {
        assertThat(validity.at(at(3, 20))).isEqualTo(Verdict.SUSPECT);
        assertThat(validity.isOver(at(3, 100))).isFalse();
    }

    @Test
    void goesByTheMonotonicClockIfTheWallClockWasSteppedBack() {
        assertThat(validity.at(at(20, -3600))).isEqualTo(Verdict.CLOSED);
    }

    @Test
    void staysSuspectUntilASuccessThatWasSentAfterTheSuspicion() {
        Validity suspected = validity.suspected(at(3, 20));

        assertThat(suspected.at(at(4, 4))).isEqualTo(Verdict.SUSPECT);
        assertThat(suspected.renewed(at(3, 20)).at(at(4, 21))).isEqualTo(Verdict.SUSPECT);
        assertThat(suspected.renewed(at(4, 21)).at(at(5, 22))).isEqualTo(Verdict.OPEN);
    }

    @Test
    void passesNothingUnlessItIsOpen() {
        assertThat(validity.pass(at(3, 3))).contains(new Pass(LEASE, at(3, 3)));
        assertThat(validity.pass(at(3, 20))).isEmpty();
        assertThat(validity.pass(at(20, 3))).isEmpty();
    }

    @Test
    void saysHowLongWorkMayStillBegin() {
        assertThat(validity.untilSuspension(at(3, 3))).isEqualTo(Duration.ofSeconds(17));
        assertThat(validity.untilSuspension(at(21, 21))).isZero();
        assertThat(validity.untilSuspension(at(3, 20))).isZero();
    }
}
