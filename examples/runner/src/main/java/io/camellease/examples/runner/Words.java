/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** The words of a command line, one by one; what is wrong with one is told to the person who typed it. Confined to one thread. */
public final class Words {

    private static final long MILLIS_PER_MINUTE = 60_000;
    private static final int MAX_MINUTES = 24 * 60;

    private final Deque<String> words;

    public Words(String... arguments) {
        words = new ArrayDeque<>(Arrays.asList(arguments));
    }

    /** Whether there is nothing more. */
    public boolean isEmpty() {
        return words.isEmpty();
    }

    /** The next word; of {@code --option=value} only the option. */
    public String next() {
        String word = words.pop();
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        if (equals > 0) {
            words.push(word.substring(equals + 1));
            word = word.substring(0, equals);
        }
        return word;
    }

    /** The value of the option that came last. */
    public String value(String option) {
        if (words.isEmpty() || words.peek().isEmpty()) {
            throw new UsageException(option + " needs a value");
        }
        return words.pop();
    }

    /** A number of minutes, with up to three decimals: more than 0 and less than a day. */
    public Duration minutes(String option) {
        String text = value(option);
        if (!text.matches("\\d{1,4}(\\.\\d{1,3})?")) {
            throw new UsageException(option + "=" + text + " must be a number, for example 5 or 0.5");
        }
        BigDecimal minutes = new BigDecimal(text);
        if (minutes.signum() == 0 || minutes.intValue() >= MAX_MINUTES) {
            throw new UsageException(option + "=" + text + " must be more than 0 and less than " + MAX_MINUTES);
        }
        return Duration.ofMillis(
                minutes.multiply(BigDecimal.valueOf(MILLIS_PER_MINUTE)).longValue());
    }

    /** A whole number of up to 18 digits. */
    public long seed(String option) {
        String text = value(option);
        if (!text.matches("-?\\d{1,18}")) {
            throw new UsageException(option + "=" + text + " must be a whole number of at most 18 digits");
        }
        return Long.parseLong(text);
    }

    /** A time to live of a lease. */
    public Duration ttl(String option, Duration longest) {
        String text = value(option);
        try {
            Duration ttl = LeaseSettings.of(DurationText.parse(option, text)).ttl();
            if (ttl.compareTo(longest) > 0) {
                throw new UsageException(option + "=" + text + " is longer than an example should take: at most "
                        + longest.toMinutes() + "m");
            }
            return ttl;
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
    }
}
