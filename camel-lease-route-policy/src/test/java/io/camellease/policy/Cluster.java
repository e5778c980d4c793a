/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.testkit.InMemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The nodes of one test, which share a store and a journal. Ends all that are still up when the test is over. */
final class Cluster implements AfterEachCallback {

    private static final AtomicInteger COUNT = new AtomicInteger();

    final InMemoryLeaseStore store = new InMemoryLeaseStore();
    final Journal journal = new Journal();
    final HolderId thief = HolderId.unique("thief");
    private final String application = "test" + COUNT.incrementAndGet();
    private final List<Node> nodes = new CopyOnWriteArrayList<>();

    /** A node that is not started yet, with a link of its own to the store. */
    Node node(String label) {
        return node(label, store);
    }

    /** A node that reaches its leases in another way; it shares them with nodes that reach the same database. */
    Node node(String label, LeaseStore reached) {
        Node node = new Node(label, application, reached, journal);
        nodes.add(node);
        return node;
    }

    /** The lease of a route that has one of its own. */
    LeaseName lease(String routeId) {
        return new LeaseName(application + "/" + routeId);
    }

    /**
     * Gives the lease to somebody else, whoever holds it.
     *
     * @param ttl longer than a renewal interval, if other nodes want it: the holder finds out at its next renewal
     */
    Lease steal(LeaseName name, Duration ttl) {
        return store.steal(name, thief, ttl);
    }

    /** Takes the lease away from a node, which finds out at its next renewal, and lets it have it again at once. */
    void loseAndRegain(Node node, LeaseName name) {
        lose(node, name, Duration.ofMillis(1));
        Waiting.soon().until(() -> node.holds(name));
    }

    /** Takes the lease away from a node for some time, and waits until it has found out. */
    void lose(Node node, LeaseName name, Duration stolenFor) {
        int before = node.events(LeaseEvent.Lost.class).size();
        steal(name, stolenFor);
        Waiting.soon().until(() -> node.events(LeaseEvent.Lost.class).size() > before);
    }

    /** How often a node was held back or lost its lease so far: more often than planned on a busy machine. */
    int endings() {
        return (int) nodes.stream()
                .flatMap(node -> node.events.stream())
                .filter(event -> event instanceof LeaseEvent.Lost || event instanceof LeaseEvent.Suspended)
                .count();
    }

    LeaseRecord record(LeaseName name) {
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        closeAll();
    }

    void closeAll() {
        nodes.forEach(Node::heal);
        nodes.parallelStream().forEach(Node::close);
    }
}
