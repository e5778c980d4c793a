/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.Nodes;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The store and the nodes of a run, and what is done to them, all of which is written to the log. Confined to one thread. */
final class Cluster {

    private static final Duration LONGEST_RUN = Duration.ofMinutes(30);

    private final Options options;
    private final RunnerLog log;
    private final Nodes nodes;

    Cluster(Workspace workspace, Options options, Children children, RunnerLog log) {
        this.options = options;
        this.log = log;
        this.nodes = new Nodes(
                workspace,
                children,
                LONGEST_RUN,
                "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms");
    }

    String startStore() throws IOException, InterruptedException {
        return nodes.startStore(options.store());
    }

    void start(String node) throws IOException {
        log("launch", node);
        nodes.start(node);
    }

    /** Kills a node, and waits until it is gone: what it still did before that, it did in time. */
    void kill(String node) throws IOException, InterruptedException {
        long from = System.nanoTime();
        nodes.kill(node);
        log("kill", node + " from=" + from);
    }

    /** Asks a node to stop, and waits until it has. */
    void stop(String node) throws IOException, InterruptedException {
        long from = System.nanoTime();
        nodes.stop(node);
        log("stop", node + " from=" + from);
    }

    void end() throws IOException, InterruptedException {
        nodes.end();
    }

    Optional<String> fallen() {
        return nodes.fallen();
    }

    private void log(String event, String what) throws IOException {
        log.write(event + " " + what + " now=" + System.nanoTime());
    }
}
