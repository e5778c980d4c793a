/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The store and the nodes of a run, and what is done to them. Everything done is written to the work log. Confined to one thread. */
final class Cluster {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STORE_GRACE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Workspace workspace;
    private final Options options;
    private final Duration longest;
    private final Children children;
    private final RunnerLog log;
    private final Map<String, Child> nodes = new LinkedHashMap<>();
    private Optional<Child> store = Optional.empty();
    private String storeUri = "";

    /** A cluster whose nodes end by themselves after the longest time that a run can take, should the runner be killed. */
    Cluster(Workspace workspace, Options options, Duration longest, Children children, RunnerLog log) {
        this.workspace = workspace;
        this.options = options;
        this.longest = longest;
        this.children = children;
        this.log = log;
    }

    /** Starts the embedded store unless another was given, and says how it is reached. */
    String startStore() throws IOException, InterruptedException {
        if (options.store().isPresent()) {
            storeUri = options.store().get();
            return storeUri.replaceAll("//[^@/]*@", "//***@");
        }
        Child started = children.start(Fault.STORE, Commands.store(workspace, STORE_GRACE));
        store = Optional.of(started);
        storeUri = awaitUri(workspace, started);
        return storeUri + " (embedded, process " + started.pid() + ")";
    }

    /** Waits until an embedded store has said how it is reached. */
    static String awaitUri(Workspace workspace, Child store) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!Files.exists(workspace.storeUri())) {
            if (!store.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new WaitedTooLong("the embedded store did not start; see " + workspace.console(Fault.STORE));
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return Files.readString(workspace.storeUri());
    }

    void start(String node) throws IOException {
        ProcessBuilder command = Commands.node(
                        workspace,
                        node,
                        storeUri,
                        "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms",
                        "-Dcamel.main.durationMaxSeconds=" + longest.toSeconds())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.console(node).toFile()));
        nodes.put(node, children.start(node, command));
    }

    /** A node that ended though nobody ended it. */
    Optional<Child> fallen() {
        return nodes.values().stream().filter(child -> !child.isAlive()).findFirst();
    }

    void kill(String node) throws IOException, InterruptedException {
        long from = System.nanoTime();
        Child child = taken(node);
        child.kill();
        log.fault(Fault.Kind.KILL, node, from);
    }

    void freeze(String node) throws IOException, InterruptedException {
        signal(Fault.Kind.FREEZE, node(node), "STOP");
    }

    void thaw(String node) throws IOException, InterruptedException {
        signal(Fault.Kind.THAW, node(node), "CONT");
    }

    /** Asks a node to stop, and does not wait for it. */
    void stop(String node) throws IOException, InterruptedException {
        signal(Fault.Kind.STOP, taken(node), "TERM");
    }

    void freezeStore() throws IOException, InterruptedException {
        signal(Fault.Kind.FREEZE, store.orElseThrow(), "STOP");
    }

    void thawStore() throws IOException, InterruptedException {
        signal(Fault.Kind.THAW, store.orElseThrow(), "CONT");
    }

    /** Asks all that are left to stop, and waits for them. This is no fault, so it is not in the log. */
    void end() throws IOException, InterruptedException {
        for (Child child : nodes.values()) {
            child.signal("TERM");
        }
        for (Child child : nodes.values()) {
            if (!child.awaitEnd(PATIENCE)) {
                throw new WaitedTooLong("node " + child.name() + " did not stop within " + PATIENCE.toSeconds() + " s");
            }
        }
        nodes.clear();
    }

    private void signal(Fault.Kind kind, Child child, String signal) throws IOException, InterruptedException {
        long from = System.nanoTime();
        child.signal(signal);
        log.fault(kind, child.name(), from);
    }

    private Child node(String node) {
        return Optional.ofNullable(nodes.get(node)).orElseThrow();
    }

    private Child taken(String node) {
        return Optional.ofNullable(nodes.remove(node)).orElseThrow();
    }
}
