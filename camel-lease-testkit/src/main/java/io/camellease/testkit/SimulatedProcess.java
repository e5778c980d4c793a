/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseTimer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a simulation, from its start to its end: a real client, on lanes, clocks and a timer of its own. It may have a
 * twin that does the same at the same instants, and becomes its clone when the two part. Not thread-safe.
 */
final class SimulatedProcess {

    /**
     * Who it is when it starts.
     *
     * @param start how many processes of this label have been started, with this one
     */
    record Identity(String label, int start) {}

    private final SimulatedCluster cluster;
    private final Identity identity;
    private final HolderId holder;
    private final Lineage lineage;
    private final VirtualTime.Node clock;
    private final Dice dice;
    private final long seed;
    private final SimulatedThreads threads;
    private final LeaseClient client;
    private final Map<LeaseName, SimulatedRoute> routes = new LinkedHashMap<>();
    private final Knowledge knowledge = new Knowledge(this);
    private final Shadow shadow;
    private @Nullable Shadow shadowOf;
    private String label;
    private int ids;
    private boolean alive = true;
    private boolean standsStill;
    private boolean closing;
    private boolean closed;

    SimulatedProcess(SimulatedCluster cluster, Identity identity, VirtualTime.Node clock, long seed) {
        this(cluster, identity, clock, seed, new Lineage(cluster.profile().settings()));
    }

    private SimulatedProcess(
            SimulatedCluster cluster, Identity identity, VirtualTime.Node clock, long seed, Lineage lineage) {
        SimulationParts parts = cluster.parts();
        this.cluster = cluster;
        this.identity = identity;
        this.label = identity.label();
        this.holder = parts.holder(label, identity.start());
        this.lineage = lineage;
        this.clock = clock;
        this.seed = seed;
        this.dice = new Dice(seed);
        this.shadow = new Shadow(this);
        threads = new SimulatedThreads(this, cluster, clock, dice);
        client = new LeaseClient(
                parts.wire(threads.wire()),
                holder,
                cluster.profile().settings(),
                threads.asSeenByClient(parts),
                this::newId);
        for (LeaseName name : cluster.leases()) {
            routes.put(name, new SimulatedRoute(this, cluster, name));
        }
    }

    private String newId() {
        return cluster.parts().id(label, identity.start(), ++ids);
    }

    String label() {
        return label;
    }

    HolderId holder() {
        return holder;
    }

    Lineage lineage() {
        return lineage;
    }

    LeaseClient client() {
        return client;
    }

    LeaseTimer timer() {
        return clock;
    }

    VirtualTime.Node clock() {
        return clock;
    }

    /** What chance decides inside of it. */
    Dice dice() {
        return dice;
    }

    Map<LeaseName, SimulatedRoute> routes() {
        return routes;
    }

    SimulatedRoute route(LeaseName name) {
        SimulatedRoute route = routes.get(name);
        if (route == null) {
            throw new IllegalArgumentException("no lease '" + name + "'");
        }
        return route;
    }

    LeaseElector elector(LeaseName name) {
        return route(name).elector();
    }

    void later(long nanos, Runnable task) {
        clock.schedule(task, nanos);
    }

    void note(Supplier<String> what) {
        if (!isShadow()) {
            cluster.trace().add(label, what);
        }
    }

    void noteRoutine(Supplier<String> what) {
        if (!isShadow()) {
            cluster.trace().addRoutine(label, what);
        }
    }

    // ---- clones

    /** Gives it a twin, before it does anything. */
    void addTwin() {
        SimulatedProcess twin =
                new SimulatedProcess(cluster, identity, cluster.time().twin(clock), seed, lineage);
        twin.shadowOf = shadow;
        shadow.follow(twin);
    }

    /** Whether it is a twin that nobody sees yet. */
    boolean isShadow() {
        return shadowOf != null;
    }

    /** Where the calls of a twin wait for the replies to the other one. */
    Shadow shadow() {
        return shadowOf == null ? shadow : shadowOf;
    }

    /** From now on it goes its own way. */
    void becomeClone() {
        shadowOf = null;
        label += "'";
        clock.getsOwnClocks();
    }

    /** The reply to a call that it has made is not for it. */
    void hearsNothing(Consumer<Reply> receiver) {
        threads.hearsNothing(receiver);
    }

    /** Whether the store cannot tell the two apart but by what they send. */
    boolean isSameAs(SimulatedProcess other) {
        return lineage == other.lineage;
    }

    private void withTwin(Consumer<SimulatedProcess> action) {
        action.accept(this);
        shadow.follower().ifPresent(action);
    }

    // ---- what is done to it

    void start() {
        routes.keySet().forEach(this::start);
    }

    void start(LeaseName name) {
        withTwin(each -> each.elector(name).start());
    }

    void stop() {
        routes.keySet().forEach(this::stop);
    }

    void stop(LeaseName name) {
        withTwin(each -> each.elector(name).stop());
    }

    void giveAway(LeaseName name) {
        withTwin(each -> each.elector(name).giveAway());
    }

    void kill() {
        withTwin(each -> {
            each.alive = false;
            each.clock.close();
        });
    }

    void pause(boolean host) {
        withTwin(each -> each.standStill(host));
    }

    private void standStill(boolean host) {
        standsStill = true;
        if (host) {
            clock.suspendHost();
        } else {
            clock.pause();
        }
    }

    void resume() {
        lineage.troubled(cluster.now());
        withTwin(each -> {
            each.standsStill = false;
            each.clock.resume();
        });
    }

    /**
     * Does what {@link LeaseClient#close} does, which blocks for a while.
     *
     * @param patienceNanos for how long at most
     */
    void close(long patienceNanos) {
        shadow.part().ifPresent(SimulatedProcess::kill);
        closing = true;
        List.copyOf(client.electors()).forEach(client::remove);
        closeWhenIdle(patienceNanos);
    }

    private void closeWhenIdle(long patienceNanos) {
        long pause = cluster.profile().timeout() / 10;
        later(pause, () -> {
            if (patienceNanos <= pause || threads.isIdle()) {
                client.close();
                closed = true;
            } else {
                closeWhenIdle(patienceNanos - pause);
            }
        });
    }

    // ---- what it is like

    /** Whether it holds nothing, wants nothing and has nothing to say to the store. */
    boolean isStopped() {
        return !threads.isAwake()
                && threads.isIdle()
                && routes.values().stream().allMatch(route -> route.elector().state() == LeaseState.STOPPED);
    }

    boolean isClosing() {
        return closing;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isAlive() {
        return alive;
    }

    /** Whether its code runs at this instant. */
    boolean runs() {
        return alive && !standsStill;
    }

    boolean isOnEventsThread() {
        return threads.isOnEventsThread();
    }

    /** Whether something is to come that makes it decide again. */
    boolean isAwake() {
        return threads.isAwake();
    }

    boolean hasGrant() {
        for (SimulatedRoute route : routes.values()) {
            if (route.elector().state().hasGrant()) {
                return true;
            }
        }
        return false;
    }

    Knowledge knowledge() {
        return knowledge;
    }
}
