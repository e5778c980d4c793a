/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
 * @param claimInterval K, the longest time between two looks of a candidate; default T/10
 * @param storeTimeout C, how long one store call may take; default T/10
 * @param suspendMargin M, how long before the end of its lease a holder stops beginning work; default T/6
 * @param clockBand d, how far the clocks of the store's nodes may differ, or one may step; default T/30
 * @param drainTimeout how long work in flight may take after a route was told to stop, before it is given up on; default 60 s
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

    /** The largest ttl. */
    public static final Duration MAX_TTL = Duration.ofHours(24);

    private static final int RATE_ERROR_PERCENT = 1;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a range or an inequality is broken; the message lists all of them with numbers
     */
    public LeaseSettings {
        List<String> violations = new ArrayList<>();
        require(ttl.compareTo(MIN_TTL) >= 0, violations, "ttl=%s must be at least %s", ttl, MIN_TTL);
        require(ttl.compareTo(MAX_TTL) <= 0, violations, "ttl=%s must be at most %s", ttl, MAX_TTL);
        if (violations.isEmpty()) {
            requirePositive("renewInterval", renewInterval, violations);
            requirePositive("claimInterval", claimInterval, violations);
            requirePositive("storeTimeout", storeTimeout, violations);
            requirePositive("suspendMargin", suspendMargin, violations);
            requirePositive("drainTimeout", drainTimeout, violations);
            require(!clockBand.isNegative(), violations, "clockBand=%s must not be negative", clockBand);
            requireLess("renewInterval", renewInterval, "ttl", ttl, violations);
            requireLess("claimInterval", claimInterval, "ttl", ttl, violations);
            requireLess("storeTimeout", storeTimeout, "renewInterval", renewInterval, violations);
            Duration usable = usable(ttl, suspendMargin, clockBand);
            Duration needed = renewInterval.multipliedBy(2).plus(storeTimeout);
            require(
                    usable.compareTo(needed) >= 0,
                    violations,
                    "ttl - 2%% - suspendMargin - clockBand = %s must be at least 2 x renewInterval + storeTimeout = %s, so"
                            + " that one lost renewal does not suspend the route: raise ttl, or lower one of the others",
                    usable,
                    needed);
        }
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException("lease settings: " + String.join("; ", violations));
        }
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
        return usable(ttl, Duration.ZERO, clockBand).toNanos();
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
        return Optional.of(
                "ttl=" + text(ttl) + " is less than renewInterval + fail-over of the store + 2 x storeTimeout + "
                        + "suspendMargin + clockBand = " + text(needed) + ": a fail-over of " + text(failover)
                        + " will suspend the leased routes until it is over. Raise ttl if that matters");
    }

    private static Duration usable(Duration ttl, Duration suspendMargin, Duration clockBand) {
        Duration rateError = ttl.multipliedBy(2L * RATE_ERROR_PERCENT).dividedBy(100);
        return ttl.minus(rateError).minus(suspendMargin).minus(clockBand);
    }

    private static void requirePositive(String option, Duration value, List<String> violations) {
        require(!value.isNegative() && !value.isZero(), violations, "%s=%s must be positive", option, value);
    }

    private static void requireLess(
            String option, Duration value, String than, Duration limit, List<String> violations) {
        require(value.compareTo(limit) < 0, violations, option + "=%s must be less than " + than + "=%s", value, limit);
    }

    private static void require(boolean holds, List<String> violations, String rule, Object... values) {
        if (!holds) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] instanceof Duration duration) {
                    values[i] = text(duration);
                }
            }
            violations.add(String.format(Locale.ROOT, rule, values));
        }
    }

    /** Short for people: 30s, 500ms, else ISO-8601. */
    static String text(Duration duration) {
        if (duration.toMillisPart() == 0 && duration.toNanosPart() == 0 && Math.abs(duration.toSeconds()) < 3600) {
            return duration.toSeconds() + "s";
        }
        return Math.abs(duration.toMillis()) < 100_000 ? duration.toMillis() + "ms" : duration.toString();
    }

    /** Collects what a user sets; whatever is not set follows from the ttl. Not thread-safe. */
    public static final class Builder {

        private static final int RENEWALS_PER_TTL = 3;
        private static final int TENTHS = 10;
        private static final int MARGINS_PER_TTL = 6;
        private static final int BANDS_PER_TTL = 30;
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
                    orElse(storeTimeout, TENTHS),
                    orElse(suspendMargin, MARGINS_PER_TTL),
                    orElse(clockBand, BANDS_PER_TTL),
                    drainTimeout != null ? drainTimeout : DEFAULT_DRAIN_TIMEOUT);
        }

        private Duration orElse(@Nullable Duration value, int partOfTtl) {
            return value != null ? value : ttl.dividedBy(partOfTtl);
        }
    }
}
