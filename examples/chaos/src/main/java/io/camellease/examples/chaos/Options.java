/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.UsageException;
import io.camellease.examples.runner.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command line.
 *
 * @param length for how long harm is done
 * @param seed what decides which harm
 * @param nodes how many nodes
 * @param ttl how long a lease lasts when its holder dies
 * @param store a MongoDB URI; empty for the embedded store
 * @param storeKill the command that kills that store
 * @param storeStart the command that starts it again
 * @param storePid its process id, or a file that holds it
 * @param picture where to write the picture; empty for the directory of the run
 * @param keep whether to keep that directory
 */
record Options(
        Duration length,
        long seed,
        int nodes,
        Duration ttl,
        Optional<String> store,
        Optional<String> storeKill,
        Optional<String> storeStart,
        Optional<String> storePid,
        Optional<Path> picture,
        boolean keep) {

    private static final int MIN_NODES = 2;
    private static final int MAX_NODES = 9;
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
        private final Words words;
        private Duration length = Duration.ofMinutes(5);
        private long seed;
        private int nodes = 3;
        private Duration ttl = Duration.ofSeconds(3);
        private Optional<String> store = Optional.empty();
        private Optional<String> storeKill = Optional.empty();
        private Optional<String> storeStart = Optional.empty();
        private Optional<String> storePid = Optional.empty();
        private Optional<Path> picture = Optional.empty();
        private boolean keep;

        private Parser(long seed, String... arguments) {
            this.seed = seed;
            words = new Words(arguments);
        }

        private Options parse() {
            while (!words.isEmpty()) {
                take(words.next());
            }
            store.ifPresent(StoreAddress::parse);
            if (store.isEmpty() && Stream.of(storeKill, storeStart, storePid).anyMatch(Optional::isPresent)) {
                throw new UsageException("--store-kill, --store-start and --store-pid need --store");
            }
            if (storeKill.isPresent() != storeStart.isPresent()) {
                throw new UsageException("--store-kill and --store-start need each other");
            }
            return new Options(length, seed, nodes, ttl, store, storeKill, storeStart, storePid, picture, keep);
        }

        private void take(String word) {
            switch (word) {
                case "--minutes" -> length = words.minutes(word);
                case "--seed" -> seed = words.seed(word);
                case "--nodes" -> nodes = nodes(words.value(word));
                case "--ttl" -> ttl = words.ttl(word, MAX_TTL);
                case "--store" -> store = Optional.of(words.value(word));
                case "--store-kill" -> storeKill = Optional.of(words.value(word));
                case "--store-start" -> storeStart = Optional.of(words.value(word));
                case "--store-pid" -> storePid = Optional.of(words.value(word));
                case "--picture" -> picture = Optional.of(Path.of(words.value(word)));
                case "--keep" -> keep = true;
                default -> throw new UsageException("there is no option '" + word + "'");
            }
        }

        private static int nodes(String text) {
            if (!text.matches("\\d") || Integer.parseInt(text) < MIN_NODES) {
                throw new UsageException(
                        "--nodes=" + text + " must be a number from " + MIN_NODES + " to " + MAX_NODES);
            }
            return Integer.parseInt(text);
        }
    }
}
