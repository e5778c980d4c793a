/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * Hands in files, or files that become messages, at a steady rate. A tenth of them is kept for {@link #more} and another for {@link
 * #last}, so that work flows in the last parts of a run too, however long the parts before took. Confined to one thread.
 */
final class Feeder {

    private static final int RESERVED_PART = 10;

    private final Path inbox;
    private final Example example;
    private final int items;
    private final long intervalNanos;
    private final RunnerLog log;
    private int allowed;
    private int fed;
    private long nextAt = Long.MAX_VALUE;

    Feeder(Path inbox, Example example, int items, Duration spread, RunnerLog log) {
        this.inbox = inbox;
        this.example = example;
        this.items = items;
        this.intervalNanos = spread.toNanos() / items;
        this.log = log;
        this.allowed = items - 2 * (items / RESERVED_PART);
    }

    /** How long it is from one to the next. */
    Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    int fed() {
        return fed;
    }

    /** Hands in the first one at the next {@link #tick}. */
    void begin(long now) {
        nextAt = now;
    }

    /** Allows the first half of those that were kept back. */
    void more(long now) {
        allow(items - items / RESERVED_PART, now);
    }

    /** Allows all that were kept back. */
    void last(long now) {
        allow(items, now);
    }

    private void allow(int upTo, long now) {
        allowed = upTo;
        nextAt = Math.max(nextAt, now);
    }

    /** Hands in what is due; to be called often. */
    void tick(long now) throws IOException {
        while (fed < allowed && nextAt <= now) {
            handIn(example.item(fed + 1));
            fed++;
            nextAt += intervalNanos;
        }
    }

    /** Writes a name that nobody polls and renames it, so that no node ever sees a part of a file. */
    private void handIn(String name) throws IOException {
        Path part = inbox.resolve("." + name + ".part");
        Files.writeString(part, "order " + (fed + 1) + "\n");
        log.fed(name);
        Files.move(part, inbox.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
