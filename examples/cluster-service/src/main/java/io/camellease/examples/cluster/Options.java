/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.UsageException;
import io.camellease.examples.runner.Words;
import java.time.Duration;
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
        Words words = new Words(arguments);
        Options options = new Options(DEFAULT_TTL, Optional.empty(), false);
        while (!words.isEmpty()) {
            options = options.with(words.next(), words);
        }
        return options;
    }

    private Options with(String word, Words words) {
        return switch (word) {
            case "--ttl" -> new Options(words.ttl(word, MAX_TTL), store, keep);
            case "--store" -> new Options(ttl, Optional.of(words.value(word)), keep);
            case "--keep" -> new Options(ttl, store, true);
            default -> throw new UsageException("there is no option '" + word + "'");
        };
    }
}
