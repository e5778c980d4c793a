/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.GivenUpException;
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
     * Waits until the lines are as they must be.
     *
     * @throws GivenUpException if they are not in time
     */
    void until(String what, Duration patience, Predicate<List<LogLine>> condition)
            throws IOException, InterruptedException {
        if (!comes(patience, condition)) {
            throw new GivenUpException("waited " + patience.toSeconds() + " s until " + what);
        }
    }

    /** Waits until the lines are so; false if they are not in time. */
    boolean comes(Duration patience, Predicate<List<LogLine>> condition) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!condition.test(lines)) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                return false;
            }
            look();
        }
        return true;
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

    /** How often a node was started. */
    long starts(String node) {
        return lines.stream()
                .filter(line -> line.is("started") && line.node().equals(node))
                .count();
    }

    /** The node that was granted the lease of a job last. */
    Optional<String> holder(ScheduledJob job) {
        return lines.stream()
                .filter(line -> line.is("granted") && line.subject().equals(job.title()))
                .reduce((earlier, later) -> later)
                .map(LogLine::node);
    }
}
