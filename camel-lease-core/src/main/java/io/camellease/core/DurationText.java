/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them in settings: {@code 30s}, {@code 500ms}, {@code 2m}, {@code 1h}, {@code 1m30s}, ISO-8601
 * ({@code PT30S}) or a whole number of milliseconds.
 */
public final class DurationText {

    private static final Pattern PART = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Pattern PARTS = Pattern.compile("(?:\\d{1,15}(?:ms|s|m|h|d))+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}");

    private DurationText() {}

    /**
     * Reads a duration; its range is not checked here.
     *
     * @param option the name of the setting, for the message
     * @throws IllegalArgumentException if the text is none of the forms; the message names option, text and the forms
     */
    public static Duration parse(String option, String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        try {
            if (NUMBER.matcher(lower).matches()) {
                return Duration.ofMillis(Long.parseLong(lower));
            }
            return PARTS.matcher(lower).matches() ? sum(lower) : Duration.parse(lower);
        } catch (DateTimeException | ArithmeticException notADuration) {
            throw new IllegalArgumentException(
                    option + "='" + text + "' is not a duration: write for example 30s, 500ms, 2m, 1m30s, PT30S, "
                            + "or a whole number of milliseconds",
                    notADuration);
        }
    }

    private static Duration sum(String text) {
        Duration sum = Duration.ZERO;
        Matcher matcher = PART.matcher(text);
        while (matcher.find()) {
            sum = sum.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
        }
        return sum;
    }

    private static Duration part(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
