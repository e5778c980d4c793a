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
import io.camellease.core.LeaseThreads;
import io.camellease.core.LeaseTimer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One process of a simulation, from its start to its end: a real client, on lanes, clocks and a timer of its own. Not thread-safe. */
final class SimulatedProcess {

    private final String label;
    private final HolderId holder;
    private final VirtualTime.Node clock;
    private final SimulatedTimer timer;
    private final SimulatedEvents events;
    private final SimulatedLane renewals;
    private final SimulatedLane claims;
    private final LeaseClient client;
    private final Map<LeaseName, SimulatedRoute> routes = new LinkedHashMap<>();
    private final Knowledge knowledge = new Knowledge(this);
    private boolean alive = true;
    private boolean standsStill;

    SimulatedProcess(SimulatedCluster cluster, String label, int start, VirtualTime.Node clock) {
        SimulationParts parts = cluster.parts();
        this.label = label;
        this.holder = parts.holder(label, start);
        this.clock = clock;
        this.timer = new SimulatedTimer(clock);
        this.events = new SimulatedEvents(clock, cluster.faults()::listener);
        SimulatedWire wire = new SimulatedWire();
        SimulatedNetwork network = new SimulatedNetwork(this, cluster);
        long patience = 2 * cluster.profile().timeout();
        renewals = new SimulatedLane(clock, wire, network, patience);
        claims = new SimulatedLane(clock, wire, network, patience);
        LeaseThreads threads = new LeaseThreads(
                parts.ticker(clock), parts.timer(timer), parts.lane(renewals), parts.lane(claims), events);
        AtomicInteger ids = new AtomicInteger();
        client = new LeaseClient(
                wire,
                holder,
                cluster.profile().settings(),
                threads,
                () -> label + "-" + start + "-" + ids.incrementAndGet());
        for (LeaseName name : cluster.leases()) {
            routes.put(name, new SimulatedRoute(this, cluster, name));
        }
    }

    String label() {
        return label;
    }

    HolderId holder() {
        return holder;
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

    void later(long nanos, Runnable task) {
        clock.schedule(task, nanos);
    }

    void start() {
        routes.values().forEach(route -> route.elector().start());
    }

    void stop() {
        routes.values().forEach(route -> route.elector().stop());
    }

    /** Whether it holds nothing, wants nothing and has nothing to say to the store. */
    boolean isStopped() {
        return timer.pending() == 0
                && renewals.isIdle()
                && claims.isIdle()
                && routes.values().stream().allMatch(route -> route.elector().state() == LeaseState.STOPPED);
    }

    void kill() {
        alive = false;
        clock.close();
    }

    boolean isAlive() {
        return alive;
    }

    void pause(boolean host) {
        standsStill = true;
        if (host) {
            clock.suspendHost();
        } else {
            clock.pause();
        }
    }

    void resume() {
        standsStill = false;
        clock.resume();
    }

    /** Whether its code runs at this instant. */
    boolean runs() {
        return alive && !standsStill;
    }

    boolean isOnEventsThread() {
        return events.isRunning();
    }

    /** Whether something is to come that makes it decide again. */
    boolean isAwake() {
        return timer.pending() > 0;
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

    LeaseElector elector(LeaseName name) {
        return route(name).elector();
    }
}
