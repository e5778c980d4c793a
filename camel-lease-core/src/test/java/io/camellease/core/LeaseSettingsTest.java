/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseSettingsTest {

    private static final Duration ABSURD = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void derivesEverythingFromTheTtl() {
        LeaseSettings settings = LeaseSettings.of(Duration.ofSeconds(30));

        assertThat(settings.renewInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.claimInterval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.storeTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.suspendMargin()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.clockBand()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void endsTheUseOfALeaseBeforeItsTtl() {
        LeaseSettings settings = LeaseSettings.of(Duration.ofSeconds(30));

        assertThat(Duration.ofNanos(settings.validNanos())).isEqualTo(Duration.ofMillis(28_400));
        assertThat(Duration.ofNanos(settings.usableNanos())).isEqualTo(Duration.ofMillis(23_400));
    }

    @Property
    void acceptsEveryTtlInItsRange(@ForAll @LongRange(min = 1_000, max = 86_400_000) long millis) {
        LeaseSettings settings = LeaseSettings.of(Duration.ofMillis(millis));

        assertThat(settings.usableNanos())
                .isGreaterThanOrEqualTo(settings.renewInterval().toNanos() * 2
                        + settings.storeTimeout().toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.001S", "PT-5S", "PT0.001S", "PT0.999999999S"})
    void refusesATtlOfLessThanOneSecond(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.of(ttl))
                .withMessageContaining("ttl=" + Violations.text(ttl) + " must be at least 1s");
    }

    @Test
    void refusesATtlOfMoreThanADay() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.of(Duration.ofHours(25)))
                .withMessage("lease settings: ttl=PT25H must be at most PT24H");
    }

    @Test
    void refusesAnAbsurdTtlWithTheSameWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.of(ABSURD))
                .withMessageContaining("must be at most PT24H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.of(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageContaining("must be at least 1s");
    }

    @Test
    void namesAllViolationsAtOnceWithTheirNumbers() {
        LeaseSettings.Builder builder = LeaseSettings.builder(Duration.ofSeconds(30))
                .renewInterval(Duration.ofSeconds(40))
                .claimInterval(Duration.ofMillis(-1))
                .storeTimeout(Duration.ofSeconds(50))
                .suspendMargin(Duration.ZERO)
                .clockBand(Duration.ofSeconds(-2))
                .drainTimeout(Duration.ofHours(25));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("renewInterval=40s must be less than ttl=30s")
                .withMessageContaining("claimInterval=-1ms must be at least 10ms")
                .withMessageContaining("storeTimeout=50s must be less than renewInterval=40s")
                .withMessageContaining("suspendMargin=0s must be positive")
                .withMessageContaining("clockBand=-2s must not be negative")
                .withMessageContaining("drainTimeout=PT25H must be at most PT24H");
    }

    @Test
    void refusesAbsurdPartsWithWordsAndNotWithAnOverflow() {
        LeaseSettings.Builder builder = LeaseSettings.builder(Duration.ofSeconds(30))
                .renewInterval(ABSURD)
                .claimInterval(ABSURD)
                .storeTimeout(ABSURD)
                .suspendMargin(ABSURD)
                .clockBand(ABSURD)
                .drainTimeout(ABSURD);

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("renewInterval=")
                .withMessageContaining("drainTimeout=");
    }

    @Test
    void refusesIntervalsThatContradictEachOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.builder(Duration.ofSeconds(30))
                        .renewInterval(Duration.ofSeconds(30))
                        .build())
                .withMessageContaining("renewInterval=30s must be less than ttl=30s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.builder(Duration.ofSeconds(30))
                        .claimInterval(Duration.ofSeconds(31))
                        .build())
                .withMessage("lease settings: claimInterval=31s must be less than ttl=30s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.builder(Duration.ofSeconds(30))
                        .storeTimeout(Duration.ofSeconds(10))
                        .build())
                .withMessageContaining("storeTimeout=10s must be less than renewInterval=10s");
    }

    @Test
    void refusesALeaseThatOneLostRenewalWouldSuspend() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseSettings.builder(Duration.ofSeconds(30))
                        .renewInterval(Duration.ofSeconds(11))
                        .build())
                .withMessage(
                        "lease settings: ttl - 2% - suspendMargin - clockBand = 23400ms must be at least 2 x renewInterval"
                                + " + storeTimeout = 25s, so that one lost renewal does not suspend the route: raise ttl, or lower one"
                                + " of the others");
    }

    @Test
    void warnsIfAFailOverOfTheStoreWillSuspendTheRoutes() {
        LeaseSettings settings = LeaseSettings.of(Duration.ofSeconds(30));

        assertThat(settings.warning(Duration.ofSeconds(8))).isEmpty();
        assertThat(LeaseSettings.of(Duration.ofSeconds(45)).warning(Duration.ofSeconds(12)))
                .isEmpty();
        assertThat(LeaseSettings.of(Duration.ofSeconds(44)).warning(Duration.ofSeconds(12)))
                .isPresent();
        assertThat(settings.warning(Duration.ofSeconds(12))).hasValueSatisfying(text -> assertThat(text)
                .contains(
                        "ttl=30s is less than",
                        "= 34s",
                        "a fail-over of 12s will suspend",
                        "raise ttl to 45s or more"));
        LeaseSettings changed = LeaseSettings.builder(Duration.ofSeconds(30))
                .suspendMargin(Duration.ofSeconds(4))
                .build();
        assertThat(changed.warning(Duration.ofSeconds(12))).hasValueSatisfying(text -> assertThat(text)
                .endsWith("raise ttl to 33s or more, and leave the others"));
    }
}
