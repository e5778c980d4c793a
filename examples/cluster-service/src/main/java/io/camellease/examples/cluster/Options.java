/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.core.DurationText;
import io.camellease.core.LeaseSettings;
import io.camellease.examples.runner.UsageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * The command line.
 *
 * @param ttl how long a lease lasts when its holder dies, 1 s to 1 m
 * @param store a MongoDB URI; empty for the embedded store
 * @param keep whether the directory of the run is kept
 */
record Options(Duration ttl, Optional<String> store, boolean keep) {

    private static final Duration DEFAULT_TTL = Duration.ofSeconds(5);
    private static final Duration MAX_TTL = Duration.ofMinutes(1);

    /**
     * Reads the command line.
     *
     * @throws UsageException if it is wrong; the message says how
     */
    static Options parse(String... arguments) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        Options options = new Options(DEFAULT_TTL, Optional.empty(), false);
        while (!words.isEmpty()) {
            options = options.with(words.pop(), words);
        }
        return options;
    }

    private Options with(String word, Deque<String> rest) {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        if (equals > 0) {
            rest.push(word.substring(equals + 1));
            return with(word.substring(0, equals), rest);
        }
        return switch (word) {
            case "--ttl" -> new Options(ttl(value(word, rest)), store, keep);
            case "--store" -> new Options(ttl, Optional.of(value(word, rest)), keep);
            case "--keep" -> new Options(ttl, store, true);
            default -> throw new UsageException("there is no option '" + word + "'");
        };
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty() || rest.peek().isEmpty()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.pop();
    }

    private static Duration ttl(String text) {
        try {
            Duration ttl = LeaseSettings.of(DurationText.parse("--ttl", text)).ttl();
            if (ttl.compareTo(MAX_TTL) > 0) {
                throw new UsageException("--ttl=" + text + " is too long for this example: at most 1m");
            }
            return ttl;
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        }
    }
}
