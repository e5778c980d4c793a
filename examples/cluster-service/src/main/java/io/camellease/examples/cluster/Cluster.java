/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.Child;
import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.Commands;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The store and the nodes of a run, and what is done to them, all of which is written to the log. Confined to one thread. */
final class Cluster {

    static final List<String> NODES = List.of("A", "B");

    private static final String STORE = "store";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Camel itself gives up after 45 s. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(90);

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration LONGEST_RUN = Duration.ofMinutes(30);
    private static final long LOOK_MILLIS = 20;

    private final Workspace workspace;
    private final Options options;
    private final Children children;
    private final RunnerLog log;
    private final Map<String, Child> nodes = new LinkedHashMap<>();
    private String storeUri = "";

    Cluster(Workspace workspace, Options options, Children children, RunnerLog log) {
        this.workspace = workspace;
        this.options = options;
        this.children = children;
        this.log = log;
    }

    /** Starts the embedded store unless another was given, and says which it is. */
    String startStore() throws IOException, InterruptedException {
        if (options.store().isPresent()) {
            storeUri = options.store().get();
            return storeUri.replaceAll("//[^@/]*@", "//***@");
        }
        Child store = children.start(STORE, Commands.store(workspace, GRACE));
        long begun = System.nanoTime();
        while (!Files.exists(workspace.uri(STORE))) {
            if (!store.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new GivenUpException("the store did not start; see " + workspace.console(STORE));
            }
            Thread.sleep(LOOK_MILLIS);
        }
        storeUri = Files.readString(workspace.uri(STORE));
        return storeUri + " (embedded, process " + store.pid() + ")";
    }

    void start(String node) throws IOException {
        ProcessBuilder command = Commands.node(
                        workspace,
                        node,
                        storeUri,
                        "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms",
                        // should this process be killed, its nodes end by themselves
                        "-Dcamel.main.durationMaxSeconds=" + LONGEST_RUN.toSeconds())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.console(node).toFile()));
        log("launch", node);
        nodes.put(node, children.start(node, command));
    }

    /** Kills a node, and waits until it is gone: what it still did before that, it did in time. */
    void kill(String node) throws IOException, InterruptedException {
        long from = System.nanoTime();
        taken(node).kill();
        log("kill", node + " from=" + from);
    }

    /** Asks a node to stop, and waits until it has. */
    void stop(String node) throws IOException, InterruptedException {
        Child stopping = taken(node);
        long from = System.nanoTime();
        stopping.signal("TERM");
        awaitEnd(stopping);
        log("stop", node + " from=" + from);
    }

    /** Asks all nodes to stop, and waits until they have. */
    void end() throws IOException, InterruptedException {
        List<Child> all = List.copyOf(nodes.values());
        nodes.clear();
        for (Child child : all) {
            child.signal("TERM");
        }
        for (Child child : all) {
            awaitEnd(child);
        }
    }

    /** A node that ended though nobody ended it. */
    Optional<String> fallen() {
        return nodes.values().stream()
                .filter(child -> !child.isAlive())
                .map(Child::name)
                .findFirst();
    }

    private static void awaitEnd(Child child) throws InterruptedException {
        if (!child.awaitEnd(STOP_PATIENCE)) {
            throw new GivenUpException(child.name() + " did not stop within " + STOP_PATIENCE.toSeconds() + " s");
        }
    }

    private void log(String event, String what) throws IOException {
        log.write(event + " " + what + " now=" + System.nanoTime());
    }

    private Child taken(String node) {
        return Optional.ofNullable(nodes.remove(node)).orElseThrow();
    }
}
