/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The store, the server that work comes from, and the nodes of a run, and what is done to them. Everything done is written to the work log. Confined to one thread. */
final class Cluster {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SERVER_GRACE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Workspace workspace;
    private final Options options;
    private final Duration longest;
    private final Children children;
    private final RunnerLog log;
    private final Map<String, Child> nodes = new LinkedHashMap<>();
    private Optional<Child> store = Optional.empty();
    private Optional<Child> server = Optional.empty();
    private String storeUri = "";
    private List<String> serverSettings = List.of();

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
        Child started = children.start(Fault.STORE, Commands.store(workspace, SERVER_GRACE));
        store = Optional.of(started);
        storeUri = awaitUri(workspace, started);
        return storeUri + " (embedded, process " + started.pid() + ")";
    }

    /** Starts the server that the nodes take their work from, and says how it is reached; empty if the example has none. */
    Optional<String> startServer() throws IOException, InterruptedException {
        if (options.server().isEmpty()) {
            return Optional.empty();
        }
        SourceServer source = options.server().get();
        Child started = children.start(source.label(), Commands.server(workspace, source, options.ttl(), SERVER_GRACE));
        server = Optional.of(started);
        String uri = awaitUri(workspace, started);
        serverSettings = source.nodeSettings(uri, options.ttl());
        return Optional.of(uri + " (process " + started.pid() + ")");
    }

    /** Waits until a server has said how it is reached. */
    static String awaitUri(Workspace workspace, Child server) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!Files.exists(workspace.uri(server.name()))) {
            if (!server.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new GivenUpException(
                        "the " + server.name() + " did not start; see " + workspace.console(server.name()));
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return Files.readString(workspace.uri(server.name()));
    }

    void start(String node) throws IOException {
        List<String> settings = new ArrayList<>(serverSettings);
        settings.add("-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms");
        settings.add("-Dcamel.main.durationMaxSeconds=" + longest.toSeconds());
        ProcessBuilder command = Commands.node(workspace, node, storeUri, settings.toArray(String[]::new))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.console(node).toFile()));
        log.launch(node);
        nodes.put(node, children.start(node, command));
    }

    /** A node or server that ended though nobody ended it. */
    Optional<Child> fallen() {
        return Stream.of(nodes.values().stream(), store.stream(), server.stream())
                .flatMap(children -> children)
                .filter(child -> !child.isAlive())
                .findFirst();
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

    /**
     * Asks all nodes that are left to stop, then the server, and waits for them. This is no fault, so it is not in the log; what
     * is left to work on then, is.
     */
    void end() throws IOException, InterruptedException {
        end(List.copyOf(nodes.values()));
        nodes.clear();
        log.left(workspace.left());
        List<Child> last = server.stream().toList();
        server = Optional.empty();
        end(last);
    }

    private static void end(List<Child> children) throws IOException, InterruptedException {
        for (Child child : children) {
            child.signal("TERM");
        }
        for (Child child : children) {
            if (!child.awaitEnd(PATIENCE)) {
                throw new GivenUpException(child.name() + " did not stop within " + Seconds.of(PATIENCE));
            }
        }
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
