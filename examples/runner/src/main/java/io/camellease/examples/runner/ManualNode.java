/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One node in the foreground, for a person to do the harm. Several runners share a directory at a fixed place, and the store
 * that the first of them starts. Confined to one thread.
 */
final class ManualNode {

    private static final Duration SERVER_GRACE = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int KILLED = 137;

    private final Options options;
    private final PrintStream out;

    ManualNode(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs the node until it ends, and says how it ended. */
    void run() throws IOException, InterruptedException {
        Workspace workspace = Workspace.at(directory());
        try (Children children = new Children()) {
            String uri = options.store().isPresent() ? options.store().get() : sharedStore(workspace);
            List<String> settings = new ArrayList<>(sharedServer(workspace));
            settings.add("-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms");
            ProcessBuilder command = Commands.node(workspace, options.node(), uri, settings.toArray(String[]::new))
                    .inheritIO();
            Child node = children.start(options.node(), command);
            explain(workspace, node);
            awaitEnd(node);
        }
    }

    /** Nodes with different stores must not share files, so each store has a directory of its own. */
    private Path directory() {
        String user = String.valueOf(System.getProperty("user.name"));
        String store = options.store()
                .map(uri -> "-" + Integer.toHexString(uri.hashCode()))
                .orElse("");
        return Path.of(
                String.valueOf(System.getProperty("java.io.tmpdir")),
                "camel-lease-" + user,
                options.example().title() + (options.sftp() ? "-sftp" : "") + store);
    }

    private String sharedStore(Workspace workspace) throws IOException, InterruptedException {
        return new SharedServer(workspace, Fault.STORE, out).uri(Commands.store(workspace, SERVER_GRACE));
    }

    /** The server that work comes from, as settings of the node; none if the example has none. */
    private List<String> sharedServer(Workspace workspace) throws IOException, InterruptedException {
        if (options.server().isEmpty()) {
            return List.of();
        }
        SourceServer server = options.server().get();
        ProcessBuilder command = Commands.server(workspace, server, options.ttl(), SERVER_GRACE);
        String uri = new SharedServer(workspace, server.label(), out).uri(command);
        return server.nodeSettings(uri, options.ttl());
    }

    private void explain(Workspace workspace, Child node) {
        String title = options.example().title();
        String other = options.node().equals("A") ? "B" : "A";
        out.println();
        out.println("  Node " + options.node() + " is process " + node.pid() + ". In other terminals:");
        out.println();
        out.println("    a second node     ./examples/run " + title + " node " + other + hintOfOptions());
        out.println("    give it work      for i in $(seq 1000); do echo $i > " + workspace.inbox() + "/order-$i"
                + options.example().suffix() + "; sleep 0.2; done");
        out.println("    watch the work    tail -F " + workspace.workLog());
        out.println("    kill this node    kill -9 " + node.pid());
        out.println("    or freeze it      kill -STOP " + node.pid() + "; sleep 10; kill -CONT " + node.pid());
        out.println("    or stop it        Ctrl-C here");
        out.println("    remove all of it  rm -r " + workspace.directory());
        out.println();
    }

    private String hintOfOptions() {
        String ttl = options.ttl().equals(Options.DEFAULT_TTL)
                ? ""
                : " --ttl " + options.ttl().toMillis() + "ms";
        return (options.sftp() ? " --sftp" : "") + ttl + (options.store().isPresent() ? " --store (the same)" : "");
    }

    /** Without a limit: the person decides when it ends. */
    private void awaitEnd(Child node) throws IOException, InterruptedException {
        try {
            while (!node.awaitEnd(LOOK)) {
                out.flush();
            }
        } catch (InterruptedException interrupted) {
            stop(node);
            throw interrupted;
        }
        String how = node.exitStatus() == KILLED ? "was killed" : "ended with status " + node.exitStatus();
        out.println("Node " + options.node() + " " + how + ". Start it again: ./examples/run "
                + options.example().title() + " node " + options.node() + hintOfOptions());
    }

    /** Ctrl-C reaches the node too, but a signal to the runner alone does not. */
    private static void stop(Child node) throws IOException, InterruptedException {
        node.signal("CONT");
        node.signal("TERM");
        node.awaitEnd(STOP_PATIENCE);
    }
}
