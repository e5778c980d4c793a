/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * One node in the foreground, for a person to do the harm. Several runners share a directory at a fixed place, and the store
 * that the first of them starts. Confined to one thread.
 */
final class ManualNode {

    private static final Duration STORE_GRACE = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int CONNECT_MILLIS = 2000;
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
            ProcessBuilder command =
                    Commands.node(workspace, options.node(), uri, ttl()).inheritIO();
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
                String.valueOf(System.getProperty("java.io.tmpdir")), "camel-lease-" + user, options.example() + store);
    }

    /** The store that is there already, else a new one; the lock keeps two runners from starting one each. */
    private String sharedStore(Workspace workspace) throws IOException, InterruptedException {
        try (FileChannel lock = FileChannel.open(
                workspace.directory().resolve("store.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            if (!answers(workspace.storeUri())) {
                Files.deleteIfExists(workspace.storeUri());
                Child store = new Child(
                        Fault.STORE, Commands.store(workspace, STORE_GRACE).start());
                Cluster.awaitUri(workspace, store);
            }
            return Files.readString(workspace.storeUri());
        }
    }

    private boolean answers(Path uriFile) throws IOException {
        if (!Files.exists(uriFile)) {
            return false;
        }
        URI uri = URI.create(Files.readString(uriFile));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECT_MILLIS);
            return true;
        } catch (IOException refused) {
            out.println("the store of an earlier run is gone (" + refused.getMessage() + "); starting another");
            return false;
        }
    }

    private void explain(Workspace workspace, Child node) {
        String other = options.node().equals("A") ? "B" : "A";
        out.println();
        out.println("  Node " + options.node() + " is process " + node.pid() + ". In other terminals:");
        out.println();
        out.println("    a second node     ./examples/run " + options.example() + " node " + other + hintOfOptions());
        out.println("    give it work      for i in $(seq 1000); do echo $i > " + workspace.inbox()
                + "/order-$i.txt; sleep 0.2; done");
        out.println("    watch the work    tail -F " + workspace.workLog());
        out.println("    kill this node    kill -9 " + node.pid());
        out.println("    or freeze it      kill -STOP " + node.pid() + "; sleep 10; kill -CONT " + node.pid());
        out.println("    or stop it        Ctrl-C here");
        out.println("    remove all of it  rm -r " + workspace.directory());
        out.println();
    }

    private String ttl() {
        return "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms";
    }

    private String hintOfOptions() {
        String ttl = options.ttl().equals(Options.DEFAULT_TTL)
                ? ""
                : " --ttl " + options.ttl().toMillis() + "ms";
        return ttl + (options.store().isPresent() ? " --store (the same)" : "");
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
        out.println("Node " + options.node() + " " + how + ". Start it again: ./examples/run " + options.example()
                + " node " + options.node() + hintOfOptions());
    }

    /** Ctrl-C reaches the node too, but a signal to the runner alone does not. */
    private static void stop(Child node) throws IOException, InterruptedException {
        node.signal("CONT");
        node.signal("TERM");
        node.awaitEnd(STOP_PATIENCE);
    }
}
