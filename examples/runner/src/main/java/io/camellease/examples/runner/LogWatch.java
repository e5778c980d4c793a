/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Follows the log, and does all waiting. Confined to one thread. */
public final class LogWatch {

    private static final long LOOK_MILLIS = 20;

    private final WorkLogReader reader;
    private final Supplier<Optional<String>> fallen;
    private final Consumer<LogLine> told;
    private final List<LogLine> lines = new ArrayList<>();

    /**
     * Has read nothing yet.
     *
     * @param fallen a node that ended by itself, which ends the run
     * @param told is told every line
     */
    public LogWatch(Workspace workspace, Supplier<Optional<String>> fallen, Consumer<LogLine> told) {
        this.reader = new WorkLogReader(workspace.workLog());
        this.fallen = fallen;
        this.told = told;
    }

    /** All lines so far. */
    public List<LogLine> lines() {
        return Collections.unmodifiableList(lines);
    }

    /** Lets that time pass. */
    public void rest(Duration time) throws IOException, InterruptedException {
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
    public void until(String what, Duration patience, Predicate<List<LogLine>> condition)
            throws IOException, InterruptedException {
        if (!comes(patience, condition)) {
            throw new GivenUpException("waited " + patience.toSeconds() + " s until " + what);
        }
    }

    /** Waits until the lines are so; false if they are not in time. */
    public boolean comes(Duration patience, Predicate<List<LogLine>> condition)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!condition.test(lines())) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                return false;
            }
            look();
        }
        return true;
    }

    private void look() throws IOException, InterruptedException {
        Optional<String> ended = fallen.get();
        if (ended.isPresent()) {
            throw new GivenUpException(ended.get() + " ended by itself");
        }
        List<LogLine> added = reader.readNew();
        added.forEach(told);
        lines.addAll(added);
        Thread.sleep(LOOK_MILLIS);
    }

    /** How often a node was started. */
    public long starts(String node) {
        return lines.stream()
                .filter(line -> line.is("started") && line.node().equals(node))
                .count();
    }
}
