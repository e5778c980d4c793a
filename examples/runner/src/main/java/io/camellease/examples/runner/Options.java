/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.Optional;

/**
 * The command line.
 *
 * @param example which example
 * @param server the server that the nodes take their work from; empty if they poll a directory
 * @param mode what to do with it
 * @param node the label of the node in mode {@link Mode#NODE}, else empty
 * @param store where the leases are kept; empty for an embedded store
 * @param ttl how long a lease lasts
 * @param items how many files or messages are handed in
 * @param keep whether the directory of the run is kept
 */
record Options(
        Example example,
        Optional<SourceServer> server,
        Mode mode,
        String node,
        Optional<String> store,
        Duration ttl,
        int items,
        boolean keep) {

    static final Duration DEFAULT_TTL = Duration.ofSeconds(3);
    static final int DEFAULT_ITEMS = 200;

    private static final Duration MAX_TTL = Duration.ofMinutes(5);
    private static final int MIN_ITEMS = 20;
    private static final int MAX_ITEMS = 100_000;

    /** What can be done with an example. */
    enum Mode {
        /** Two nodes; one is killed, frozen and stopped. */
        FAILOVER,
        /** Two nodes; the store is frozen. */
        OUTAGE,
        /** One node for a person to kill. */
        NODE
    }

    /** Whether the files come by SFTP. */
    boolean sftp() {
        return server.equals(Optional.of(SourceServer.SFTP));
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
        private final Words words;
        private final Example example;
        private Mode mode = Mode.FAILOVER;
        private boolean sftp;
        private String node = "";
        private Optional<String> store = Optional.empty();
        private Duration ttl = DEFAULT_TTL;
        private Optional<Integer> items = Optional.empty();
        private boolean keep;

        private Parser(String... arguments) {
            words = new Words(arguments);
            String title = words.isEmpty() ? "" : words.next();
            example = Example.named(title)
                    .orElseThrow(() ->
                            new UsageException("there is no example '" + title + "'; there are: " + Example.titles()));
        }

        private Options parse() {
            while (!words.isEmpty()) {
                take(words.next());
            }
            check();
            return new Options(
                    example,
                    sftp ? Optional.of(SourceServer.SFTP) : example.server(),
                    mode,
                    node,
                    store,
                    ttl,
                    items.orElse(DEFAULT_ITEMS),
                    keep);
        }

        private void check() {
            if (mode == Mode.OUTAGE && store.isPresent()) {
                throw new UsageException(
                        "--store-outage freezes the embedded store, so it cannot be used with --store");
            }
            if (mode == Mode.NODE && items.isPresent()) {
                throw new UsageException("--" + example.items() + " is not for 'node': there you hand in the "
                        + example.items() + " yourself");
            }
            if (mode == Mode.NODE && keep) {
                throw new UsageException("--keep is not for 'node': its directory is kept anyway");
            }
        }

        private void take(String word) {
            switch (word) {
                case "node" -> nodeLabel(words.value(word));
                case "--store-outage" -> mode(Mode.OUTAGE, word);
                case "--sftp" -> sftp();
                case "--store" -> store = Optional.of(words.value(word));
                case "--ttl" -> ttl = words.ttl(word, MAX_TTL);
                case "--files", "--messages" -> items = Optional.of(items(word, words.value(word)));
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

        private void sftp() {
            if (example != Example.FTP_FAILOVER) {
                throw new UsageException("--sftp is for " + Example.FTP_FAILOVER.title() + " only");
            }
            sftp = true;
        }

        private void nodeLabel(String label) {
            mode(Mode.NODE, "node");
            if (!label.matches("[A-Z]")) {
                throw new UsageException("node '" + label + "' must be one capital letter, for example A");
            }
            node = label;
        }

        private int items(String option, String text) {
            if (!option.equals("--" + example.items())) {
                throw new UsageException(
                        example.title() + " has no option " + option + ": it is called --" + example.items());
            }
            if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < MIN_ITEMS || Integer.parseInt(text) > MAX_ITEMS) {
                throw new UsageException(
                        option + "=" + text + " must be a number from " + MIN_ITEMS + " to " + MAX_ITEMS);
            }
            return Integer.parseInt(text);
        }
    }
}
