/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Where a scenario plays: two nodes, a store, and what is handed in.
 *
 * @param options what the user asked for
 * @param plan how long things take
 * @param cluster the processes
 * @param feeder hands work in
 * @param watch follows the log, and does all waiting
 * @param timeline tells what happens
 */
record Stage(Options options, Plan plan, Cluster cluster, Feeder feeder, Watch watch, Timeline timeline) {

    /** The nodes of a run. */
    static final List<String> NODES = List.of("A", "B");

    private static final Duration MID_WORK_PATIENCE = Duration.ofSeconds(3);
    private static final Duration LAST_LINES = Duration.ofMillis(100);

    /** Starts everything, and waits until work flows. */
    void begin() throws IOException, InterruptedException {
        timeline.say("store " + cluster.startStore());
        cluster.startServer().ifPresent(server -> timeline.say("server " + server));
        timeline.say("nodes " + String.join(" and ", NODES) + " start, ttl " + Seconds.of(options.ttl()));
        for (String node : NODES) {
            cluster.start(node);
        }
        for (String node : NODES) {
            up(node, 0);
        }
        watch.until("a node holds the lease", 0, line -> line.is("granted"), plan.patience());
        timeline.say("handing in " + options.items() + " " + options.example().items() + ", one every "
                + Seconds.of(feeder.interval()));
        feeder.begin(System.nanoTime());
        watch.until("a node works", 0, line -> line.is("begin"), plan.patience());
    }

    /** Waits until a node is up, by the log after the given position. */
    void up(String node, int position) throws IOException, InterruptedException {
        watch.until(
                node + " is up",
                position,
                line -> line.is("started") && line.node().equals(node),
                plan.patience());
    }

    /** Lets work flow undisturbed for a while. */
    void steady() throws IOException, InterruptedException {
        watch.rest(plan.steady());
    }

    /** The node that was granted the lease last. */
    String holder() {
        return watch.lines().stream()
                .filter(line -> line.is("granted"))
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .node();
    }

    /** Waits for a moment at which harm hits work: the node is in the middle of work. Idle nodes are harmed as they are. */
    void midWork(String node) throws IOException, InterruptedException {
        watch.untilMidWork(node, MID_WORK_PATIENCE);
    }

    /** Waits until another node than the given one, which just came to harm, works. */
    void takeoverFrom(String node, int position) throws IOException, InterruptedException {
        watch.until(
                "another node than " + node + " works",
                position,
                line -> line.is("begin") && !line.node().equals(node),
                plan.patience());
    }

    /** The position in the log from which on to wait for what the next fault causes. */
    int position() {
        return watch.lines().size();
    }

    /** Waits until all is done, and stops what is still running. */
    void finish() throws IOException, InterruptedException {
        watch.until(
                "all " + options.example().items() + " are done",
                () -> timeline.done() == options.items(),
                plan.limit());
        cluster.end();
        watch.rest(LAST_LINES);
    }
}
