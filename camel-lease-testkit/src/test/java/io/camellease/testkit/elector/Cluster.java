/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.FencingToken;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseThreads;
import io.camellease.core.Share;
import io.camellease.testkit.FaultyLeaseStore;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Nodes that contend for leases in one store in memory, in virtual time. After every step it checks that no two nodes may begin
 * work under one lease at that instant, and that tokens only grow.
 */
final class Cluster {

    static final LeaseName ORDERS = new LeaseName("orders");

    final LeaseSettings settings;
    final VirtualTime time = new VirtualTime();
    final VirtualTime.Node storeClock = time.node(0, Duration.ZERO);
    final InMemoryLeaseStore store = new InMemoryLeaseStore(storeClock);
    private final List<Node> nodes = new ArrayList<>();
    private final Map<LeaseName, FencingToken> newestToken = new HashMap<>();

    Cluster() {
        this(LeaseSettings.of(Duration.ofSeconds(30)));
    }

    Cluster(LeaseSettings settings) {
        this.settings = settings;
        time.afterEachTask(this::check);
    }

    Node node(String name) {
        return nodeWithClockRate(name, 0);
    }

    Node nodeWithClockRate(String name, long ratePpm) {
        AtomicInteger ids = new AtomicInteger();
        return add(new Node(
                new HolderId(name + "#1"),
                time.node(ratePpm, Duration.ZERO),
                store,
                () -> name + "-" + ids.incrementAndGet()));
    }

    /** A node that goes to another store than the rest, or has an identity of its own. */
    Node node(HolderId holder, LeaseStore behind, Supplier<String> newId) {
        return add(new Node(holder, time.node(0, Duration.ZERO), behind, newId));
    }

    private Node add(Node node) {
        nodes.add(node);
        return node;
    }

    void advance(double seconds) {
        time.advance(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** How many seconds until the node may begin work; fails if it takes longer than the limit. */
    double secondsUntilUsable(Node node, Duration limit) {
        Duration before = time.elapsed();
        assertThat(time.advanceUntil(node::isUsable, limit))
                .as("%s may begin work within %s", node.holder, limit)
                .isTrue();
        return time.elapsed().minus(before).toMillis() / 1000.0;
    }

    private void check() {
        Map<LeaseName, HolderId> usableBy = new HashMap<>();
        for (Node node : nodes) {
            node.electors.forEach((name, elector) -> elector.check().ifPresent(pass -> {
                assertThat(usableBy.put(name, node.holder))
                        .as("who else may begin work under %s than %s", pass.lease(), node.holder)
                        .isNull();
                FencingToken newest =
                        newestToken.merge(name, pass.lease().token(), (a, b) -> a.compareTo(b) >= 0 ? a : b);
                assertThat(pass.lease().token())
                        .as("the token that work begins under")
                        .isEqualTo(newest);
            }));
        }
    }

    /** One process. */
    final class Node {

        final HolderId holder;
        final VirtualTime.Node clock;
        final FaultyLeaseStore wire;
        final LeaseClient client;
        final Map<LeaseName, LeaseElector> electors = new LinkedHashMap<>();
        final List<LeaseEvent> events = new ArrayList<>();
        boolean drainsAtOnce = true;

        private Node(HolderId holder, VirtualTime.Node clock, LeaseStore behind, Supplier<String> newId) {
            this.holder = holder;
            this.clock = clock;
            VirtualLane.Turn turn = new VirtualLane.Turn();
            wire = new FaultyLeaseStore(behind, delay -> turn.await(clock, delay));
            long patience = settings.storeTimeout().toNanos() * 2;
            LeaseThreads threads = new LeaseThreads(
                    clock,
                    clock,
                    new VirtualLane(clock, turn, patience),
                    new VirtualLane(clock, turn, patience),
                    clock::execute);
            client = new LeaseClient(wire, holder, settings, threads, newId);
        }

        /** Becomes a candidate for orders. */
        Node start() {
            elector(ORDERS).start();
            return this;
        }

        LeaseElector elector() {
            return elector(ORDERS);
        }

        LeaseElector elector(LeaseName name) {
            return electors.computeIfAbsent(
                    name, missing -> client.elector(missing, this::onEvent, () -> "a note of " + holder));
        }

        /** Becomes a candidate for a lease that is spread. */
        LeaseElector share(LeaseName name, Share share) {
            LeaseElector elector = electors.computeIfAbsent(
                    name, missing -> client.elector(missing, this::onEvent, () -> "a note of " + holder, share));
            elector.start();
            return elector;
        }

        /** How many leases it may work under now. */
        int held() {
            return (int) electors.values().stream()
                    .filter(elector -> elector.check().isPresent())
                    .count();
        }

        private void onEvent(LeaseEvent event) {
            events.add(event);
            if (drainsAtOnce && event instanceof LeaseEvent.Lost lost) {
                elector(event.name()).drained(lost.lease());
            } else if (drainsAtOnce && event instanceof LeaseEvent.Draining draining) {
                elector(event.name()).drained(draining.lease());
            }
        }

        boolean isUsable() {
            return elector().check().isPresent();
        }

        long token() {
            return elector().lease().map(Lease::token).map(FencingToken::value).orElse(0L);
        }

        List<Class<?>> kinds() {
            return events.stream().<Class<?>>map(LeaseEvent::getClass).toList();
        }

        <E extends LeaseEvent> List<E> events(Class<E> kind) {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        /** The process dies: nothing of it runs any more. */
        void kill() {
            clock.close();
            nodes.remove(this);
        }
    }
}
