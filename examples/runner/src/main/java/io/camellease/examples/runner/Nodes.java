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

/** Nodes A and B, and their store: processes that are started, harmed and ended. Confined to one thread. */
public final class Nodes {

    /** Their names. */
    public static final List<String> NAMES = List.of("A", "B");

    private static final String STORE = "store";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Camel itself gives up after 45 s. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(90);

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 20;

    private final Workspace workspace;
    private final Children children;
    private final List<String> settings = new ArrayList<>();
    private final Map<String, Child> running = new LinkedHashMap<>();
    private String storeUri = "";

    /**
     * None yet.
     *
     * @param longestRun after which a node ends by itself, should this process have been killed
     * @param settings options of the nodes' JVMs
     */
    public Nodes(Workspace workspace, Children children, Duration longestRun, String... settings) {
        this.workspace = workspace;
        this.children = children;
        this.settings.addAll(List.of(settings));
        this.settings.add("-Dcamel.main.durationMaxSeconds=" + longestRun.toSeconds());
    }

    /** Starts the embedded store unless another is given, and says which it is. */
    public String startStore(Optional<String> given) throws IOException, InterruptedException {
        if (given.isPresent()) {
            storeUri = given.get();
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

    /** Starts one; what it prints is added to its console file. */
    public void start(String node) throws IOException {
        ProcessBuilder command = Commands.node(workspace, node, storeUri, settings.toArray(String[]::new))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.console(node).toFile()));
        running.put(node, children.start(node, command));
    }

    /** Kills one, and waits until it is gone. */
    public void kill(String node) throws IOException, InterruptedException {
        taken(node).kill();
    }

    /** Sends one a signal. */
    public void signal(String node, String signal) throws IOException, InterruptedException {
        Optional.ofNullable(running.get(node)).orElseThrow().signal(signal);
    }

    /** Asks one to stop, and waits until it has. */
    public void stop(String node) throws IOException, InterruptedException {
        Child stopping = taken(node);
        stopping.signal("TERM");
        awaitEnd(stopping);
    }

    /** Asks all to stop, and waits until they have. */
    public void end() throws IOException, InterruptedException {
        List<Child> all = List.copyOf(running.values());
        running.clear();
        for (Child child : all) {
            child.signal("TERM");
        }
        for (Child child : all) {
            awaitEnd(child);
        }
    }

    /** One that ended though nobody ended it. */
    public Optional<String> fallen() {
        return running.values().stream()
                .filter(child -> !child.isAlive())
                .map(Child::name)
                .findFirst();
    }

    private static void awaitEnd(Child child) throws InterruptedException {
        if (!child.awaitEnd(STOP_PATIENCE)) {
            throw new GivenUpException(child.name() + " did not stop within " + STOP_PATIENCE.toSeconds() + " s");
        }
    }

    private Child taken(String node) {
        return Optional.ofNullable(running.remove(node)).orElseThrow();
    }
}
