/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Follows the work log. All waiting of a scenario happens here, and while it waits the timeline is printed and work is handed
 * in; so a run needs one thread only. Confined to that thread.
 */
final class Watch {

    private static final long LOOK_MILLIS = 5;
    /** Longer than that nobody is left without a word about what is waited for. */
    private static final Duration SILENCE = Duration.ofMillis(2500);

    private static final Duration LOOK = Duration.ofMillis(100);

    private static final int RECENT_LINES = 10;
    private static final int CONSOLE_LINES = 20;

    private final WorkLogReader reader;
    private final Timeline timeline;
    private final Feeder feeder;
    private final Cluster cluster;
    private final Workspace workspace;
    private final List<LogLine> lines = new ArrayList<>();

    Watch(Workspace workspace, Timeline timeline, Feeder feeder, Cluster cluster) {
        this.workspace = workspace;
        this.reader = new WorkLogReader(workspace.workLog());
        this.timeline = timeline;
        this.feeder = feeder;
        this.cluster = cluster;
    }

    /** All lines so far. */
    List<LogLine> lines() {
        return lines;
    }

    /** Lets time pass. */
    void rest(Duration duration) throws IOException, InterruptedException {
        reaches(() -> false, duration);
    }

    /** Waits until the node is in the middle of work; after the given time it does not matter any more. */
    void untilMidWork(String node, Duration patience) throws IOException, InterruptedException {
        reaches(() -> isMidWork(node), patience);
    }

    /**
     * Waits for a line among those after the given position.
     *
     * @throws GivenUpException if it does not come in time
     */
    LogLine until(String what, int position, Predicate<LogLine> wanted, Duration patience)
            throws IOException, InterruptedException {
        until(what, () -> find(position, wanted).isPresent(), patience);
        return find(position, wanted).orElseThrow();
    }

    /**
     * Waits for a state.
     *
     * @throws GivenUpException if it is not reached in time
     */
    void until(String what, BooleanSupplier reached, Duration patience) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        boolean said = false;
        while (!reaches(reached, LOOK)) {
            long now = System.nanoTime();
            if (now - begun > patience.toNanos()) {
                throw new GivenUpException("waited " + Seconds.of(patience) + " in vain for this: " + what);
            }
            if (!said && timeline.silence(now).compareTo(SILENCE) > 0) {
                timeline.say("still waiting for this: " + what + complaintsOfNodes());
                said = true;
            }
        }
    }

    /** What the nodes warn of may be the reason. */
    private String complaintsOfNodes() throws IOException {
        StringBuilder said = new StringBuilder();
        for (String node : Stage.NODES) {
            workspace
                    .lastComplaint(node)
                    .ifPresent(complaint -> said.append("\n          " + node + " said: " + complaint));
        }
        return said.toString();
    }

    private boolean reaches(BooleanSupplier state, Duration patience) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!state.getAsBoolean()) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                return false;
            }
            look();
        }
        return true;
    }

    private boolean isMidWork(String node) {
        return lines.stream()
                .skip(Math.max(0, lines.size() - RECENT_LINES))
                .filter(line -> line.node().equals(node))
                .reduce((earlier, later) -> later)
                .filter(line -> line.is("begin"))
                .isPresent();
    }

    private Optional<LogLine> find(int position, Predicate<LogLine> wanted) {
        return lines.subList(position, lines.size()).stream().filter(wanted).findFirst();
    }

    private void look() throws IOException, InterruptedException {
        Thread.sleep(LOOK_MILLIS);
        feeder.tick(System.nanoTime());
        List<LogLine> added = reader.readNew();
        added.forEach(timeline::add);
        lines.addAll(added);
        timeline.tick(System.nanoTime());
        Optional<Child> fallen = cluster.fallen();
        if (fallen.isPresent()) {
            throw new GivenUpException(endOf(fallen.get()));
        }
    }

    private String endOf(Child node) throws IOException {
        return "node " + node.name() + " ended by itself with status " + node.exitStatus() + "; it said last:\n    "
                + String.join("\n    ", workspace.consoleTail(node.name(), CONSOLE_LINES));
    }
}
