/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * The command line.
 *
 * @param example which example
 * @param mode what to do with it
 * @param node the label of the node in mode {@link Mode#NODE}, else empty
 * @param store where the leases are kept; empty for an embedded store
 * @param ttl how long a lease lasts
 * @param files how many files are handed in
 * @param keep whether the directory of the run is kept
 */
record Options(String example, Mode mode, String node, Optional<String> store, Duration ttl, int files, boolean keep) {

    static final Duration DEFAULT_TTL = Duration.ofSeconds(3);
    static final int DEFAULT_FILES = 200;

    private static final String FILE_FAILOVER = "file-failover";
    private static final Duration MAX_TTL = Duration.ofMinutes(5);
    private static final int MIN_FILES = 20;
    private static final int MAX_FILES = 100_000;

    /** What can be done with an example. */
    enum Mode {
        /** Two nodes; one is killed, frozen and stopped. */
        FAILOVER,
        /** Two nodes; the store is frozen. */
        OUTAGE,
        /** One node for a person to kill. */
        NODE
    }

    /**
     * Reads the command line.
     *
     * @throws UsageException if it is wrong; the message says how
     */
    static Options parse(String... arguments) {
        return new Parser(arguments).parse();
    }

    /** Takes the words one by one. Confined to one thread. */
    private static final class Parser {
        private final Deque<String> words;
        private Mode mode = Mode.FAILOVER;
        private String node = "";
        private Optional<String> store = Optional.empty();
        private Duration ttl = DEFAULT_TTL;
        private int files = DEFAULT_FILES;
        private boolean keep;

        private Parser(String... arguments) {
            words = new ArrayDeque<>(Arrays.asList(arguments));
        }

        private Options parse() {
            String example = words.isEmpty() ? "" : words.pop();
            if (!example.equals(FILE_FAILOVER)) {
                throw new UsageException("there is no example '" + example + "'; there is: " + FILE_FAILOVER);
            }
            while (!words.isEmpty()) {
                take(words.pop());
            }
            if (mode == Mode.OUTAGE && store.isPresent()) {
                throw new UsageException(
                        "--store-outage freezes the embedded store, so it cannot be used with --store");
            }
            return new Options(example, mode, node, store, ttl, files, keep);
        }

        private void take(String word) {
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            if (equals > 0) {
                words.push(word.substring(equals + 1));
                word = word.substring(0, equals);
            }
            switch (word) {
                case "node" -> nodeLabel(value(word));
                case "--store-outage" -> mode(Mode.OUTAGE, word);
                case "--store" -> store = Optional.of(value(word));
                case "--ttl" -> ttl = ttl(value(word));
                case "--files" -> files = files(value(word));
                case "--keep" -> keep = true;
                default -> throw new UsageException("there is no option '" + word + "'");
            }
        }

        private void mode(Mode wanted, String word) {
            if (mode != Mode.FAILOVER) {
                throw new UsageException(word + " cannot be combined with what comes before it");
            }
            mode = wanted;
        }

        private void nodeLabel(String label) {
            mode(Mode.NODE, "node");
            if (!label.matches("[A-Z]")) {
                throw new UsageException("node '" + label + "' must be one capital letter, for example A");
            }
            node = label;
        }

        private String value(String option) {
            if (words.isEmpty() || words.peek().isEmpty()) {
                throw new UsageException(option + " needs a value");
            }
            return words.pop();
        }

        private static Duration ttl(String text) {
            try {
                Duration ttl =
                        LeaseSettings.of(DurationText.parse("--ttl", text)).ttl();
                if (ttl.compareTo(MAX_TTL) > 0) {
                    throw new UsageException("--ttl=" + text + " is longer than an example should take: at most 5m");
                }
                return ttl;
            } catch (IllegalArgumentException wrong) {
                throw new UsageException(String.valueOf(wrong.getMessage()));
            }
        }

        private static int files(String text) {
            if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < MIN_FILES || Integer.parseInt(text) > MAX_FILES) {
                throw new UsageException(
                        "--files=" + text + " must be a number from " + MIN_FILES + " to " + MAX_FILES);
            }
            return Integer.parseInt(text);
        }
    }
}
