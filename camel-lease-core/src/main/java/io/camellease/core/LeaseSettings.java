/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All durations of a lease. A user sets {@link #ttl()}; the others follow from it unless set.
 *
 * <p>With T = ttl, R = renewInterval, C = storeTimeout, M = suspendMargin, d = clockBand and r = 1 % clock-rate
 * error, a grant or renewal sent at t ends for the holder at {@code E = t + T(1 - 2r) - d}, and no new work begins
 * from {@code U = E - M} on. Required: {@code C < R}, {@code R < T}, {@code K < T} and {@code T(1 - 2r) - M - d >=
 * 2R + C}, by which one renewal may be lost entirely without a suspension.
 *
 * @param ttl T, how long a grant or renewal lasts by the store's clock; 1 s to 24 h
 * @param renewInterval R, the longest time between two renewals; default T/3
 * @param claimInterval K, the longest time between two looks of a candidate; default T/10, at least 10 ms
 * @param storeTimeout C, how long one store call may take; default T/10, at most 10 s
 * @param suspendMargin M, how long before the end of its lease a holder stops beginning work; default T/6
 * @param clockBand d, how far the clocks of the store's nodes may differ, or one may step; default T/30. If the store takes
 *     longer to answer, a step could hide in that: then what expired before this process looked is taken only after it has
 *     watched it for a ttl
 * @param drainTimeout how long work in flight may take after a route was told to stop, before it is given up on; at most 24 h,
 *     default 60 s
 */
public record LeaseSettings(
        Duration ttl,
        Duration renewInterval,
        Duration claimInterval,
        Duration storeTimeout,
        Duration suspendMargin,
        Duration clockBand,
        Duration drainTimeout) {

    /** The smallest ttl. Below it, one slow garbage collection or store call would end a lease. */
    public static final Duration MIN_TTL = Duration.ofSeconds(1);

    private static final Duration MIN_CLAIM_INTERVAL = Duration.ofMillis(10);

    /** The largest ttl. */
    public static final Duration MAX_TTL = Duration.ofHours(24);

    private static final int RATE_ERROR_PERCENT = 1;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a range or an inequality is broken; the message lists all of them with numbers
     */
    public LeaseSettings {
        Violations violations = new Violations();
        violations.unless(ttl.compareTo(MIN_TTL) >= 0, "ttl=%s must be at least %s", ttl, MIN_TTL);
        violations.unless(ttl.compareTo(MAX_TTL) <= 0, "ttl=%s must be at most %s", ttl, MAX_TTL);
        if (violations.areNone()) {
            violations.unlessPositive("renewInterval", renewInterval);
            violations.unless(
                    claimInterval.compareTo(MIN_CLAIM_INTERVAL) >= 0,
                    "claimInterval=%s must be at least %s",
                    claimInterval,
                    MIN_CLAIM_INTERVAL);
            violations.unlessPositive("storeTimeout", storeTimeout);
            violations.unlessPositive("suspendMargin", suspendMargin);
            violations.unlessPositive("drainTimeout", drainTimeout);
            violations.unless(!clockBand.isNegative(), "clockBand=%s must not be negative", clockBand);
            violations.unlessLess("renewInterval", renewInterval, "ttl", ttl);
            violations.unlessLess("claimInterval", claimInterval, "ttl", ttl);
            violations.unlessLess("storeTimeout", storeTimeout, "renewInterval", renewInterval);
            violations.unlessLess("suspendMargin", suspendMargin, "ttl", ttl);
            violations.unlessLess("clockBand", clockBand, "ttl", ttl);
            violations.unless(
                    drainTimeout.compareTo(MAX_TTL) <= 0, "drainTimeout=%s must be at most %s", drainTimeout, MAX_TTL);
            if (Stream.of(renewInterval, storeTimeout, suspendMargin, clockBand).allMatch(isPartOf(ttl))) {
                requireRoomForOneLostRenewal(
                        usable(ttl, suspendMargin, clockBand), renewInterval, storeTimeout, violations);
            }
        }
        violations.throwIfAny("lease settings");
    }

    private static Predicate<Duration> isPartOf(Duration ttl) {
        return part -> !part.isNegative() && part.compareTo(ttl) < 0;
    }

    private static void requireRoomForOneLostRenewal(
            Duration usable, Duration renewInterval, Duration storeTimeout, Violations violations) {
        Duration needed = renewInterval.multipliedBy(2).plus(storeTimeout);
        violations.unless(
                usable.compareTo(needed) >= 0,
                "ttl - 2%% - suspendMargin - clockBand = %s must be at least 2 x renewInterval + storeTimeout = %s, so"
                        + " that one lost renewal does not suspend the route: raise ttl, or lower one of the others",
                usable,
                needed);
    }

    /** Everything derived from the ttl. */
    public static LeaseSettings of(Duration ttl) {
        return builder(ttl).build();
    }

    /** Settings to change one by one before {@link Builder#build()}. */
    public static Builder builder(Duration ttl) {
        return new Builder(ttl);
    }

    /** Nanoseconds from the send of a grant or renewal to U, from which on no new work begins. */
    public long usableNanos() {
        return usable(ttl, suspendMargin, clockBand).toNanos();
    }

    /** Nanoseconds from the send of a grant or renewal to E, after which another holder must be assumed. */
    public long validNanos() {
        return validNanos(ttl, clockBand);
    }

    /**
     * What is legal but unwise.
     *
     * @param failover how long the store takes to fail over
     * @return a sentence if a fail-over of the store will suspend the route, else empty
     */
    public Optional<String> warning(Duration failover) {
        Duration needed = renewInterval
                .plus(failover)
                .plus(storeTimeout.multipliedBy(2))
                .plus(suspendMargin)
                .plus(clockBand);
        if (ttl.compareTo(needed) >= 0) {
            return Optional.empty();
        }
        return Optional.of("ttl=" + Violations.text(ttl)
                + " is less than renewInterval + fail-over of the store + 2 x storeTimeout + "
                + "suspendMargin + clockBand = " + Violations.text(needed) + ": a fail-over of "
                + Violations.text(failover)
                + " will suspend the leased routes until it is over. If that matters, " + enough(failover, needed));
    }

    /** What follows the ttl grows with it. */
    private String enough(Duration failover, Duration needed) {
        if (!equals(of(ttl))) {
            return "raise ttl to " + Violations.text(roundedUp(needed)) + " or more, and leave the others";
        }
        Duration enough = roundedUp(needed);
        while (of(enough).warning(failover).isPresent()) {
            enough = enough.plusSeconds(1);
        }
        return "raise ttl to " + Violations.text(enough) + " or more";
    }

    private static Duration roundedUp(Duration duration) {
        return Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds());
    }

    /** The same for a grant of another ttl. */
    static long validNanos(Duration ttl, Duration clockBand) {
        return usable(ttl, Duration.ZERO, clockBand).toNanos();
    }

    private static Duration usable(Duration ttl, Duration suspendMargin, Duration clockBand) {
        Duration rateError = ttl.multipliedBy(2L * RATE_ERROR_PERCENT).dividedBy(100);
        return ttl.minus(rateError).minus(suspendMargin).minus(clockBand);
    }

    /** Collects what a user sets; whatever is not set follows from the ttl. Not thread-safe. */
    public static final class Builder {

        private static final int RENEWALS_PER_TTL = 3;
        private static final int TENTHS = 10;
        private static final int MARGINS_PER_TTL = 6;
        private static final int BANDS_PER_TTL = 30;
        private static final Duration LONGEST_STORE_TIMEOUT = Duration.ofSeconds(10);
        private static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(60);

        private final Duration ttl;
        private @Nullable Duration renewInterval;
        private @Nullable Duration claimInterval;
        private @Nullable Duration storeTimeout;
        private @Nullable Duration suspendMargin;
        private @Nullable Duration clockBand;
        private @Nullable Duration drainTimeout;

        private Builder(Duration ttl) {
            this.ttl = ttl;
        }

        /** R; see {@link LeaseSettings}. */
        public Builder renewInterval(Duration value) {
            renewInterval = value;
            return this;
        }

        /** K; see {@link LeaseSettings}. */
        public Builder claimInterval(Duration value) {
            claimInterval = value;
            return this;
        }

        /** C; see {@link LeaseSettings}. */
        public Builder storeTimeout(Duration value) {
            storeTimeout = value;
            return this;
        }

        /** M; see {@link LeaseSettings}. */
        public Builder suspendMargin(Duration value) {
            suspendMargin = value;
            return this;
        }

        /** d; see {@link LeaseSettings}. */
        public Builder clockBand(Duration value) {
            clockBand = value;
            return this;
        }

        /** See {@link LeaseSettings#drainTimeout()}. */
        public Builder drainTimeout(Duration value) {
            drainTimeout = value;
            return this;
        }

        /**
         * The settings.
         *
         * @throws IllegalArgumentException if they contradict each other; all violations in one message
         */
        public LeaseSettings build() {
            return new LeaseSettings(
                    ttl,
                    orElse(renewInterval, RENEWALS_PER_TTL),
                    orElse(claimInterval, TENTHS),
                    storeTimeout != null ? storeTimeout : shorter(ttl.dividedBy(TENTHS), LONGEST_STORE_TIMEOUT),
                    orElse(suspendMargin, MARGINS_PER_TTL),
                    orElse(clockBand, BANDS_PER_TTL),
                    drainTimeout != null ? drainTimeout : DEFAULT_DRAIN_TIMEOUT);
        }

        private static Duration shorter(Duration a, Duration b) {
            return a.compareTo(b) < 0 ? a : b;
        }

        private Duration orElse(@Nullable Duration value, int partOfTtl) {
            return value != null ? value : ttl.dividedBy(partOfTtl);
        }
    }
}
