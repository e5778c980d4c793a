/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The examples that there are, and what is handed in to each. */
enum Example {
    /** Nodes poll a directory. */
    FILE_FAILOVER("file-failover", "files", ".txt"),
    /** Nodes poll the directory of an FTP server. */
    FTP_FAILOVER("ftp-failover", "files", ".txt"),
    /** Nodes read the queue of a message broker. */
    JMS_FAILOVER("jms-failover", "messages", "");

    private final String title;
    private final String items;
    private final String suffix;

    Example(String title, String items, String suffix) {
        this.title = title;
        this.items = items;
        this.suffix = suffix;
    }

    /** The example with the given name on the command line. */
    static Optional<Example> named(String title) {
        return Arrays.stream(values())
                .filter(example -> example.title.equals(title))
                .findFirst();
    }

    /** All names, for messages. */
    static String titles() {
        return Arrays.stream(values()).map(Example::title).collect(Collectors.joining(", "));
    }

    /** Its name on the command line. */
    String title() {
        return title;
    }

    /** What is handed in, in the plural. */
    String items() {
        return items;
    }

    /** The name of what is handed in as the given number; names sort like their numbers. */
    String item(int number) {
        return String.format("orders-%06d%s", number, suffix);
    }

    /** How the names of what is handed in end. */
    String suffix() {
        return suffix;
    }

    /** Whether work must begin in the order in which it was handed in, over takeovers too. */
    boolean keepsOrder() {
        return this == JMS_FAILOVER;
    }

    /** The server that the nodes take their work from; none if it is a directory. */
    Optional<SourceServer> server() {
        return switch (this) {
            case FILE_FAILOVER -> Optional.empty();
            case FTP_FAILOVER -> Optional.of(SourceServer.FTP);
            case JMS_FAILOVER -> Optional.of(SourceServer.BROKER);
        };
    }
}
