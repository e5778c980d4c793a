/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.LogLine;
import io.camellease.examples.runner.LogWatch;
import io.camellease.examples.runner.Nodes;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import io.camellease.quartz.MissedFires;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Two nodes, harm for a while, and rest at the end, so that what is still to be caught up with is. Confined to one thread. */
final class FailoverRun {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REST = Duration.ofSeconds(3);
    private static final int FIRST_RUNS = 1;

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
            doHarm(cluster, watch);
            end(cluster, watch);
        }
    }

    private void begin(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        progress.say("store " + cluster.startStore());
        progress.say("nodes A and B start; ttl " + options.ttl().toMillis() + " ms, missedFires="
                + options.missedFires() + ", recover=" + options.recover() + ", seed " + options.seed());
        for (String node : Nodes.NAMES) {
            cluster.start(node);
        }
        watch.until(
                "both nodes are up and every job runs",
                PATIENCE,
                lines -> Nodes.NAMES.stream().allMatch(node -> watch.starts(node) > 0)
                        && ScheduledJob.all().stream().allMatch(job -> runs(lines, job) >= FIRST_RUNS));
    }

    private static long runs(List<LogLine> lines, ScheduledJob job) {
        return lines.stream()
                .filter(line -> line.is("begin") && line.subject().equals(job.title()))
                .count();
    }

    private void doHarm(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        HarmPlan plan = new HarmPlan(options.seed(), options.ttl());
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < options.length().toNanos()) {
            PlannedHarm next = plan.next();
            watch.rest(next.before());
            String holder = holder(watch);
            String node = next.toHolder() ? holder : other(holder);
            progress.harm(next, node);
            doHarm(next, node, cluster, watch);
        }
    }

    private static void doHarm(PlannedHarm next, String node, Cluster cluster, LogWatch watch)
            throws IOException, InterruptedException {
        switch (next.harm()) {
            case KILL -> {
                cluster.kill(node);
                watch.rest(next.length());
                restart(node, cluster, watch);
            }
            case FREEZE -> {
                cluster.freeze(node);
                watch.rest(next.length());
                cluster.thaw(node);
            }
            case STOP -> {
                cluster.stop(node);
                watch.rest(next.length());
                restart(node, cluster, watch);
            }
            case OUTAGE -> {
                cluster.kill(node);
                cluster.kill(other(node));
                watch.rest(next.length());
                restart(node, cluster, watch);
                restart(other(node), cluster, watch);
            }
        }
    }

    private static void restart(String node, Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        long starts = watch.starts(node);
        cluster.start(node);
        watch.until(node + " is up again", PATIENCE, lines -> watch.starts(node) > starts);
    }

    /** The node that was granted the lease of a job last. */
    private static String holder(LogWatch watch) {
        return watch.lines().stream()
                .filter(line -> line.is("granted") && line.subject().equals(ScheduledJob.EVERY_SECOND.title()))
                .reduce((earlier, later) -> later)
                .map(LogLine::node)
                .orElseThrow();
    }

    private static String other(String node) {
        return Nodes.NAMES.stream()
                .filter(other -> !other.equals(node))
                .findFirst()
                .orElseThrow();
    }

    /** A lease that was cut off lasts one ttl, a node that lost one is no candidate for a while, and then it catches up. */
    private void end(Cluster cluster, LogWatch watch) throws IOException, InterruptedException {
        progress.say("no more harm");
        watch.rest(options.ttl().multipliedBy(2).plus(REST));
        cluster.judgeUntilNow();
        if (options.missedFires() == MissedFires.ALL) {
            boolean unused = watch.comes(PATIENCE, lines -> Verdict.of(
                            History.of(lines), options.missedFires(), options.recover(), options.longestPause())
                    .passed());
        }
        watch.rest(REST);
        cluster.end();
    }
}
