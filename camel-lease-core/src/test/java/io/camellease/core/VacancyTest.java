/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.MachineBench.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VacancyTest {

    private static final long SECOND = 1_000_000_000L;

    private final Vacancy vacancy = new Vacancy();

    private static Moment second(long second) {
        return new Moment(second * SECOND, 0);
    }

    private void saw(LeaseRecord record, long second) {
        vacancy.saw(record, false, new Moment(second * SECOND, 0));
    }

    private long sinceSecond() {
        return vacancy.since().nanos() / SECOND;
    }

    @Test
    void aGrantThatRanOutIsOverFromItsEndOn() {
        saw(MachineBench.held(OTHER, 5, 0, Duration.ofSeconds(10)), 100);
        saw(MachineBench.expired(OTHER, 5, 0), 113);
        saw(MachineBench.expired(OTHER, 5, 0), 115);

        assertThat(sinceSecond()).isEqualTo(110);
        assertThat(vacancy.isExpired()).isTrue();
        assertThat(vacancy.heldBy()).contains(OTHER);
    }

    @Test
    void aLeaseThatWasGivenBackIsFreeFromWhenThatWasSeen() {
        saw(MachineBench.held(OTHER, 5, 0, Duration.ofSeconds(10)), 100);
        saw(MachineBench.released(OTHER, 5), 103);
        saw(MachineBench.released(OTHER, 5), 104);

        assertThat(sinceSecond()).isEqualTo(103);
        assertThat(vacancy.isExpired()).isFalse();
    }

    @Test
    void afterALookThatFailedNothingIsKnownOfTheEnd() {
        saw(MachineBench.held(OTHER, 5, 0, Duration.ofSeconds(10)), 100);
        vacancy.lostSight();
        saw(MachineBench.expired(OTHER, 5, 0), 120);

        assertThat(sinceSecond()).isEqualTo(120);
        assertThat(vacancy.isExpired()).isFalse();
        assertThat(vacancy.heldBy()).isEmpty();
    }

    @Test
    void aWaitThatHasBegunOutlastsALookThatFailed() {
        saw(MachineBench.absent(), 100);
        vacancy.lostSight();
        saw(MachineBench.absent(), 103);

        assertThat(sinceSecond()).isEqualTo(100);
    }

    @Test
    void anotherGrantBeginsAnotherWait() {
        saw(MachineBench.released(OTHER, 5), 100);
        assertThat(vacancy.floor(7)).isEqualTo(7);
        assertThat(vacancy.floor(9)).isEqualTo(7);
        saw(MachineBench.released(OTHER, 6), 110);

        assertThat(sinceSecond()).isEqualTo(110);
        assertThat(vacancy.floor(9)).isEqualTo(9);
    }

    @Test
    void aLeaseThatIsHeldIsNotVacant() {
        saw(MachineBench.released(OTHER, 5), 100);
        saw(MachineBench.held(OTHER, 6, 0, Duration.ofSeconds(10)), 101);

        assertThatIllegalStateException().isThrownBy(vacancy::since);
    }

    @Test
    void aWaitForARecordThatOnlySeemsToBeHeldComesToAnEnd() {
        LeaseRecord stuck = MachineBench.held(OTHER, 5, 0, Duration.ofHours(1));
        vacancy.saw(stuck, true, second(100));
        vacancy.saw(stuck, true, second(101));

        assertThat(sinceSecond()).isEqualTo(100);
    }
}
