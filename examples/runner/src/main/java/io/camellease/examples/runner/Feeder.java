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
 * Hands files in at a steady rate. A tenth of them is kept for {@link #last}, so that work flows in the last part of a run too,
 * however long the parts before it took. Confined to one thread.
 */
final class Feeder {

    private static final int RESERVED_PART = 10;

    private final Path inbox;
    private final int files;
    private final long intervalNanos;
    private final RunnerLog log;
    private int allowed;
    private int fed;
    private long nextAt = Long.MAX_VALUE;

    Feeder(Path inbox, int files, Duration spread, RunnerLog log) {
        this.inbox = inbox;
        this.files = files;
        this.intervalNanos = spread.toNanos() / files;
        this.log = log;
        this.allowed = files - files / RESERVED_PART;
    }

    /** How long it is from one file to the next. */
    Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    int fed() {
        return fed;
    }

    /** Hands in the first file at the next {@link #tick}. */
    void begin(long now) {
        nextAt = now;
    }

    /** Allows the files that were kept back. */
    void last(long now) {
        allowed = files;
        nextAt = Math.max(nextAt, now);
    }

    /** Hands in what is due; to be called often. */
    void tick(long now) throws IOException {
        while (fed < allowed && nextAt <= now) {
            handIn(String.format("orders-%06d.txt", fed + 1));
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
