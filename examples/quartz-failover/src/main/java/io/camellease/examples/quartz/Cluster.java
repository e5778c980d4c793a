/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.Nodes;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The store and the nodes of a run, and what is done to them, all of which is written to the log. Confined to one thread. */
final class Cluster {

    private static final Duration BEYOND = Duration.ofMinutes(10);

    private final Options options;
    private final RunnerLog log;
    private final Nodes nodes;

    Cluster(Workspace workspace, Options options, Children children, RunnerLog log) {
        this.options = options;
        this.log = log;
        this.nodes = new Nodes(
                workspace,
                children,
                options.length().plus(BEYOND),
                "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms",
                "-Dcamel.lease.missedFires=" + options.missedFires().name().toLowerCase(Locale.ROOT),
                "-Dcamel.lease.recoverInFlight=" + options.recover());
    }

    String startStore() throws IOException, InterruptedException {
        return nodes.startStore(options.store());
    }

    void start(String node) throws IOException {
        nodes.start(node);
        log("launch", node);
    }

    void kill(String node) throws IOException, InterruptedException {
        nodes.kill(node);
        log("kill", node);
    }

    void freeze(String node) throws IOException, InterruptedException {
        // what the process still did after this line was written, it did before it was frozen
        nodes.signal(node, "STOP");
        log("freeze", node);
    }

    void thaw(String node) throws IOException, InterruptedException {
        log("thaw", node);
        nodes.signal(node, "CONT");
    }

    void stop(String node) throws IOException, InterruptedException {
        log("stop", node);
        nodes.stop(node);
    }

    void end() throws IOException, InterruptedException {
        nodes.end();
    }

    Optional<String> fallen() {
        return nodes.fallen();
    }

    /** From now on slots are not judged. */
    void judgeUntilNow() throws IOException {
        log.write("until at=" + System.currentTimeMillis());
    }

    private void log(String event, String node) throws IOException {
        log.write(event + " " + node + " at=" + System.currentTimeMillis());
    }
}
