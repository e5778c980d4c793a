/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.LogWatch;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.time.Duration;

/** Two nodes: the one that leads is killed, started again, and the next one is asked to stop. Confined to one thread. */
final class FailoverRun {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REST = Duration.ofSeconds(2);

    private final Workspace workspace;
    private final Options options;
    private final Progress progress;

    FailoverRun(Workspace workspace, Options options, Progress progress) {
        this.workspace = workspace;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Plays it; no process is left afterwards.
     *
     * @throws GivenUpException if something that must happen does not
     */
    void play() throws IOException, InterruptedException {
        try (RunnerLog log = new RunnerLog(workspace.workLog());
                Children children = new Children()) {
            Cluster cluster = new Cluster(workspace, options, children, log);
            LogWatch watch = new LogWatch(workspace, cluster::fallen, progress::add);
            begin(cluster, watch);
            takeOver(cluster, watch);
            handOver(cluster, watch);
            cluster.end();
        }
    }

    /** A is there first, so that it leads both namespaces. */
    private void begin(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        progress.say("store " + cluster.startStore());
        progress.say("nodes A and B start; ttl " + options.ttl().toMillis() + " ms");
        cluster.start("A");
        awaitWork("A", watch, 0);
        start("B", cluster, watch);
    }

    private void takeOver(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        progress.say(">>> kill -KILL A");
        int before = watch.lines().size();
        cluster.kill("A");
        awaitWork("B", watch, before);
        start("A", cluster, watch);
    }

    private void handOver(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        progress.say(">>> kill -TERM B");
        int before = watch.lines().size();
        cluster.stop("B");
        awaitWork("A", watch, before);
        watch.rest(REST);
    }

    private static void awaitWork(String node, LogWatch watch, int before) throws IOException, InterruptedException {
        for (String route : History.ROUTES) {
            watch.until(node + " works in route " + route, PATIENCE, lines -> lines.stream()
                    .skip(before)
                    .anyMatch(line -> line.is("tick")
                            && line.node().equals(node)
                            && line.subject().equals(route)));
        }
    }

    private static void start(String node, Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        long starts = watch.starts(node);
        cluster.start(node);
        watch.until(node + " is up", PATIENCE, lines -> watch.starts(node) > starts);
        watch.rest(REST);
    }
}
