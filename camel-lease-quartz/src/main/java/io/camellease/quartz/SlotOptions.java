/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What is to become of slots that were missed, or whose run did not end.
 *
 * @param missedFires which missed slots are still run
 * @param missedFireLimit how old a missed slot may be at most to be run, 1 ms to 31 days
 * @param recoverInFlight whether slots are run again whose run a crash or the loss of the lease may have cut off
 */
public record SlotOptions(MissedFires missedFires, Duration missedFireLimit, boolean recoverInFlight) {

    /** The longest {@link #missedFireLimit()}. */
    public static final Duration MAX_MISSED_FIRE_LIMIT = Duration.ofDays(31);

    private static final Duration MIN_MISSED_FIRE_LIMIT = Duration.ofMillis(1);
    private static final Duration DEFAULT_LIMIT = Duration.ofHours(1);

    /** The latest missed slot if it is at most an hour old; nothing is run twice. */
    public static final SlotOptions DEFAULTS = new SlotOptions(MissedFires.ONCE, DEFAULT_LIMIT, false);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the limit is out of range
     */
    public SlotOptions {
        check(missedFireLimit, "missedFireLimit=" + missedFireLimit);
    }

    private static Duration check(Duration limit, String written) {
        if (limit.compareTo(MIN_MISSED_FIRE_LIMIT) < 0 || limit.compareTo(MAX_MISSED_FIRE_LIMIT) > 0) {
            throw new IllegalArgumentException(
                    written + " must be 1 ms to 31 days; to run no missed slot at all, set missedFires=skip");
        }
        return limit;
    }

    /**
     * Reads settings; those that are empty have their defaults.
     *
     * @param prefix what the names of the settings begin with, for the message
     * @throws IllegalArgumentException if one is not legal; the message names it, the rule and the remedy
     */
    public static SlotOptions parse(
            String prefix, Optional<String> missedFires, Optional<String> limit, Optional<String> recoverInFlight) {
        return new SlotOptions(
                missedFires
                        .map(text -> MissedFires.parse(prefix + "missedFires", text))
                        .orElse(MissedFires.ONCE),
                limit.map(text -> parseLimit(prefix + "missedFireLimit", text)).orElse(DEFAULT_LIMIT),
                recoverInFlight
                        .map(text -> parseBoolean(prefix + "recoverInFlight", text))
                        .orElse(false));
    }

    private static Duration parseLimit(String option, String text) {
        return check(DurationText.parse(option, text), option + "='" + text + "'");
    }

    static boolean parseBoolean(String option, String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(option + "='" + text + "' must be true or false");
        };
    }
}
