/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.UsageException;
import io.camellease.examples.runner.Words;
import io.camellease.quartz.MissedFires;
import java.time.Duration;
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

    private static final Duration MAX_TTL = Duration.ofMinutes(1);

    /** For how long no run of the job of every second may begin: both nodes are killed now and then, and take some time to start again. */
    Duration longestPause() {
        return ttl.multipliedBy(15);
    }

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
        private final Words words;
        private Duration length = Duration.ofMinutes(3);
        private long seed;
        private Duration ttl = Duration.ofSeconds(3);
        private MissedFires missedFires = MissedFires.ALL;
        private boolean recover;
        private Optional<String> store = Optional.empty();
        private boolean keep;

        private Parser(long seed, String... arguments) {
            this.seed = seed;
            words = new Words(arguments);
        }

        private Options parse() {
            while (!words.isEmpty()) {
                take(words.next());
            }
            return new Options(length, seed, ttl, missedFires, recover, store, keep);
        }

        private void take(String word) {
            switch (word) {
                case "--minutes" -> length = words.minutes(word);
                case "--seed" -> seed = words.seed(word);
                case "--ttl" -> ttl = words.ttl(word, MAX_TTL);
                case "--missed-fires" -> missedFires = missedFires(words.value(word));
                case "--recover" -> recover = recover(words.value(word));
                case "--store" -> store = Optional.of(words.value(word));
                case "--keep" -> keep = true;
                default -> throw new UsageException("there is no option '" + word + "'");
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
