/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.WorkLogReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Follows the log, and does all waiting. Confined to one thread. */
final class Watch {

    private static final long LOOK_MILLIS = 20;

    private final WorkLogReader reader;
    private final Cluster cluster;
    private final Progress progress;
    private final List<LogLine> lines = new ArrayList<>();

    Watch(WorkLogReader reader, Cluster cluster, Progress progress) {
        this.reader = reader;
        this.cluster = cluster;
        this.progress = progress;
    }

    /** Lets that time pass. */
    void rest(Duration time) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            look();
        }
    }

    /**
     * Waits until a line has been added.
     *
     * @param lines how many lines there were before those that count
     * @throws GivenUpException if it is not in time
     */
    void until(String what, Duration patience, int lines, Predicate<LogLine> wanted)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (this.lines.stream().skip(lines).noneMatch(wanted)) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new GivenUpException("waited " + patience.toSeconds() + " s until " + what);
            }
            look();
        }
    }

    /** How many lines there are now. */
    int lines() {
        return lines.size();
    }

    private void look() throws IOException, InterruptedException {
        Optional<String> fallen = cluster.fallen();
        if (fallen.isPresent()) {
            throw new GivenUpException(fallen.get() + " ended by itself");
        }
        List<LogLine> added = reader.readNew();
        added.forEach(progress::add);
        lines.addAll(added);
        Thread.sleep(LOOK_MILLIS);
    }
}
