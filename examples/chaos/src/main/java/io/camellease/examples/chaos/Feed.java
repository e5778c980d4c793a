/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.RunnerLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** Hands in the files of one route at a steady rate. Confined to one thread. */
final class Feed {

    private final Path inbox;
    private final String route;
    private final long intervalNanos;
    private final RunnerLog log;
    private int fed;
    private long nextAt;

    /** @param beginsAt when the first file is handed in, by the monotonic clock */
    Feed(Path inbox, String route, Duration interval, long beginsAt, RunnerLog log) throws IOException {
        this.inbox = inbox;
        this.route = route;
        this.intervalNanos = interval.toNanos();
        this.nextAt = beginsAt;
        this.log = log;
        Files.createDirectories(inbox.resolve(route));
    }

    /** Hands in what is due; to be called often. */
    void tick(long now) throws IOException {
        while (nextAt - now <= 0) {
            fed++;
            handIn(String.format("%06d.txt", fed));
            nextAt += intervalNanos;
        }
    }

    /** Writes it where nobody polls and renames it, so that no node ever sees a part of a file. */
    private void handIn(String name) throws IOException {
        Path part = Files.writeString(inbox.resolve("part"), route + " " + fed + "\n");
        log.write("fed " + route + "/" + name + " now=" + System.nanoTime());
        Files.move(part, inbox.resolve(route).resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
