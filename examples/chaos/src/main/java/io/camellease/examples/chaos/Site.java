/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.core.LeaseSettings;
import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.Commands;
import io.camellease.examples.runner.GivenUpException;
import io.camellease.examples.runner.RunnerLog;
import io.camellease.examples.runner.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The store, the nodes and what lies between them. Confined to one thread. */
final class Site implements AutoCloseable {

    /** Routes, and so leases, with quick work on files. */
    static final List<String> QUICK = List.of("invoices", "orders", "payments");

    /** The route whose work takes longer than a lease lasts. */
    static final String SLOW = "reports";

    /** The route without files. */
    static final String TICKS = "ticks";

    /** The work of {@link #SLOW} in percent of a ttl. */
    static final int SLOW_PERCENT = 150;

    private final Workspace workspace;
    private final Options options;
    private final RunnerLog log;
    private final Children children;
    private final Store store;
    private final Map<String, TcpProxy> proxies = new LinkedHashMap<>();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private Optional<NodeClock> clock = Optional.empty();
    private String clockNode = "";

    Site(Workspace workspace, Options options, RunnerLog log, Children children) {
        this.workspace = workspace;
        this.options = options;
        this.log = log;
        this.children = children;
        this.store = options.store()
                .<Store>map(uri -> new GivenStore(options, uri, workspace, log))
                .orElseGet(() -> new EmbeddedStore(workspace, children, log, this::moved));
    }

    /** The leases of the application. */
    static List<String> leases() {
        List<String> leases = new ArrayList<>(QUICK);
        leases.add(SLOW);
        leases.add(TICKS);
        return leases;
    }

    /** The names of so many nodes: A, B, C. */
    static List<String> names(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(index -> String.valueOf((char) ('A' + index)))
                .toList();
    }

    Store store() {
        return store;
    }

    /** The node whose clock can be shifted; empty for none. */
    String clockNode() {
        return clockNode;
    }

    /**
     * Starts everything.
     *
     * @param longest after which time a node ends by itself, should the runner be killed
     */
    void start(Duration longest) throws IOException, InterruptedException {
        prepareClock();
        StoreAddress address = store.start();
        for (String node : names(options.nodes())) {
            TcpProxy proxy = new TcpProxy(address.server(), () -> dropped(node));
            proxies.put(node, proxy);
            String uri = address.by(proxy.address());
            NodeProcess process = new NodeProcess(node, () -> command(node, uri, longest), children, log);
            nodes.put(node, process);
            process.start();
        }
    }

    private void prepareClock() throws IOException {
        Optional<Path> library = NodeClock.library();
        if (library.isPresent()) {
            List<String> names = names(options.nodes());
            clockNode = names.get(new SplittableRandom(options.seed()).nextInt(names.size()));
            clock = Optional.of(new NodeClock(
                    clockNode, library.get(), workspace.directory().resolve("clock"), log));
        }
    }

    private ProcessBuilder command(String node, String uri, Duration longest) {
        ProcessBuilder command = Commands.node(
                        workspace,
                        node,
                        uri,
                        "-Dcamel.lease.ttl=" + options.ttl().toMillis() + "ms",
                        "-Dlate.millis=" + late(options.ttl()).toMillis(),
                        "-Dslow.millis=" + slow(options.ttl()).toMillis(),
                        "-Dcamel.main.durationMaxSeconds=" + longest.toSeconds())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(workspace.console(node).toFile()));
        if (node.equals(clockNode)) {
            command.environment().putAll(clock.orElseThrow().environment());
        }
        return command;
    }

    /** By how much a process must be late to be called stalled: as long as a call of the store may take. */
    static Duration late(Duration ttl) {
        return LeaseSettings.of(ttl).storeTimeout();
    }

    /** How long the work of {@link #SLOW} takes. */
    static Duration slow(Duration ttl) {
        return ttl.multipliedBy(SLOW_PERCENT).dividedBy(100);
    }

    /** The lanes of all that can be harmed, with the harms that are planned for them. */
    List<Lane> lanes(List<PlannedHarm> harms) {
        List<Lane> lanes = new ArrayList<>();
        nodes.forEach((node, process) -> lanes.add(lane(process, Schedule.process(node), harms)));
        proxies.forEach((node, proxy) -> lanes.add(lane(new NodeLink(node, proxy, log), Schedule.link(node), harms)));
        clock.ifPresent(shifted -> lanes.add(lane(shifted, Schedule.clock(clockNode), harms)));
        lanes.add(lane(store, Schedule.STORE, harms));
        return lanes;
    }

    private static Lane lane(Lane.Target target, String name, List<PlannedHarm> harms) {
        return new Lane(
                target, harms.stream().filter(harm -> harm.lane().equals(name)).toList());
    }

    /**
     * Looks whether a node ended by itself.
     *
     * @throws GivenUpException if one did
     */
    void checkAlive() {
        for (NodeProcess process : nodes.values()) {
            process.fallen().ifPresent(status -> {
                throw new GivenUpException("node " + process.node() + " ended by itself with status " + status);
            });
        }
    }

    /** Asks all nodes to stop. */
    void stopAll() throws IOException, InterruptedException {
        for (NodeProcess process : nodes.values()) {
            process.stop();
        }
    }

    /** The nodes that have not ended yet after {@link #stopAll}; each is given once more when it has. */
    List<NodeProcess> processes() {
        return List.copyOf(nodes.values());
    }

    private void moved(StoreAddress address) {
        proxies.values().forEach(proxy -> proxy.target(address.server()));
    }

    private void dropped(String node) {
        try {
            log.write("dropped " + node + " now=" + System.nanoTime());
        } catch (IOException closed) {
            System.err.println("the dropped reply of " + node + " could not be written down: " + closed);
        }
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy proxy : proxies.values()) {
            proxy.close();
        }
        try {
            store.leave();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
