/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Collects the rules that given durations break, so that a user learns of all of them at once. Not thread-safe. */
final class Violations {

    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> sentences = new ArrayList<>();

    /** Adds the sentence, a format with one {@code %s} for each value, unless the rule holds. */
    void unless(boolean holds, String sentence, Duration... values) {
        if (!holds) {
            Object[] texts = Arrays.stream(values).map(Violations::text).toArray();
            sentences.add(String.format(Locale.ROOT, sentence, texts));
        }
    }

    void unlessPositive(String option, Duration value) {
        unless(!value.isNegative() && !value.isZero(), option + "=%s must be positive", value);
    }

    void unlessLess(String option, Duration value, String than, Duration limit) {
        unless(value.compareTo(limit) < 0, option + "=%s must be less than " + than + "=%s", value, limit);
    }

    boolean areNone() {
        return sentences.isEmpty();
    }

    /**
     * Ends the check.
     *
     * @throws IllegalArgumentException if there are violations; the message lists all of them
     */
    void throwIfAny(String what) {
        if (!areNone()) {
            throw new IllegalArgumentException(what + ": " + String.join("; ", sentences));
        }
    }

    /** Short for people: 30s, 500ms, else ISO-8601. */
    static String text(Duration duration) {
        boolean isShort = duration.compareTo(LONG) < 0 && duration.compareTo(LONG.negated()) > 0;
        if (!isShort || duration.toNanosPart() % 1_000_000 != 0) {
            return duration.toString();
        }
        return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
