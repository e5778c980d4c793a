/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseSettings;
import io.camellease.examples.runner.UsageException;
import io.camellease.quartz.MissedFires;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * The command line.
 *
 * @param length for how long harm is done
 * @param seed what decides which harm
 * @param ttl how long a lease lasts when its holder dies
 * @param missedFires which scheduled times are still run that nobody could run
 * @param recover whether runs are repeated that were cut off
 * @param store a MongoDB URI; empty for the embedded store
 * @param keep whether the directory of the run is kept
 */
record Options(
        Duration length,
        long seed,
        Duration ttl,
        MissedFires missedFires,
        boolean recover,
        Optional<String> store,
        boolean keep) {

    private static final long MILLIS_PER_MINUTE = 60_000;
    private static final int MAX_MINUTES = 24 * 60;
    private static final Duration MAX_TTL = Duration.ofMinutes(1);

    /**
     * Reads the command line.
     *
     * @param seedUnlessGiven the seed of a command line without one
     * @throws UsageException if it is wrong; the message says how
     */
    static Options parse(long seedUnlessGiven, String... arguments) {
        return new Parser(seedUnlessGiven, arguments).parse();
    }

    /** Takes the words one by one. Confined to one thread. */
    private static final class Parser {
        private final Deque<String> words;
        private Duration length = Duration.ofMinutes(3);
        private long seed;
        private Duration ttl = Duration.ofSeconds(3);
        private MissedFires missedFires = MissedFires.ALL;
        private boolean recover;
        private Optional<String> store = Optional.empty();
        private boolean keep;

        private Parser(long seed, String... arguments) {
            this.seed = seed;
            words = new ArrayDeque<>(Arrays.asList(arguments));
        }

        private Options parse() {
            while (!words.isEmpty()) {
                take(words.pop());
            }
            return new Options(length, seed, ttl, missedFires, recover, store, keep);
        }

        private void take(String word) {
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            if (equals > 0) {
                words.push(word.substring(equals + 1));
                word = word.substring(0, equals);
            }
            switch (word) {
                case "--minutes" -> length = minutes(value(word));
                case "--seed" -> seed = seed(value(word));
                case "--ttl" -> ttl = ttl(value(word));
                case "--missed-fires" -> missedFires = missedFires(value(word));
                case "--recover" -> recover = recover(value(word));
                case "--store" -> store = Optional.of(value(word));
                case "--keep" -> keep = true;
                default -> throw new UsageException("there is no option '" + word + "'");
            }
        }

        private String value(String option) {
            if (words.isEmpty() || words.peek().isEmpty()) {
                throw new UsageException(option + " needs a value");
            }
            return words.pop();
        }

        private static Duration minutes(String text) {
            if (!text.matches("\\d{1,4}(\\.\\d{1,3})?")) {
                throw new UsageException("--minutes=" + text + " must be a number, for example 3 or 0.5");
            }
            BigDecimal minutes = new BigDecimal(text);
            if (minutes.signum() == 0 || minutes.intValue() >= MAX_MINUTES) {
                throw new UsageException("--minutes=" + text + " must be more than 0 and less than " + MAX_MINUTES);
            }
            return Duration.ofMillis(
                    minutes.multiply(BigDecimal.valueOf(MILLIS_PER_MINUTE)).longValue());
        }

        private static long seed(String text) {
            if (!text.matches("-?\\d{1,18}")) {
                throw new UsageException("--seed=" + text + " must be a whole number of at most 18 digits");
            }
            return Long.parseLong(text);
        }

        private static Duration ttl(String text) {
            try {
                Duration ttl =
                        LeaseSettings.of(DurationText.parse("--ttl", text)).ttl();
                if (ttl.compareTo(MAX_TTL) > 0) {
                    throw new UsageException("--ttl=" + text + " is too long for this example: at most 1m");
                }
                return ttl;
            } catch (IllegalArgumentException wrong) {
                throw new UsageException(String.valueOf(wrong.getMessage()));
            }
        }

        private static MissedFires missedFires(String text) {
            try {
                return MissedFires.parse("--missed-fires", text);
            } catch (IllegalArgumentException wrong) {
                throw new UsageException(String.valueOf(wrong.getMessage()));
            }
        }

        private static boolean recover(String text) {
            if (!text.matches("true|false")) {
                throw new UsageException("--recover=" + text + " must be true or false");
            }
            return Boolean.parseBoolean(text);
        }
    }
}
