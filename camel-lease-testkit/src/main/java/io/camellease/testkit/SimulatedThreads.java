/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseThreads;
import io.camellease.core.LeaseTimer;
import java.util.function.Consumer;

/** The threads of a simulated process, its clocks and its way to the store. Not thread-safe. */
final class SimulatedThreads {

    private final VirtualTime.Node clock;
    private final SimulatedTimer timer;
    private final SimulatedEvents events;
    private final SimulatedWire wire = new SimulatedWire();
    private final SimulatedNetwork network;
    private final SimulatedLane renewals;
    private final SimulatedLane claims;

    SimulatedThreads(SimulatedProcess process, SimulatedCluster cluster, VirtualTime.Node clock, Dice dice) {
        this.clock = clock;
        timer = new SimulatedTimer(clock);
        events = new SimulatedEvents(clock, () -> cluster.faults().listener(dice));
        network = new SimulatedNetwork(process, cluster);
        long patience = 2 * cluster.profile().timeout();
        renewals = new SimulatedLane(clock, wire, network, patience);
        claims = new SimulatedLane(clock, wire, network, patience);
    }

    LeaseThreads asSeenByClient(SimulationParts parts) {
        LeaseTimer seenTimer = parts.timer(timer);
        return new LeaseThreads(
                parts.ticker(clock), seenTimer, parts.lane(renewals), parts.lane(claims), parts.events(events));
    }

    SimulatedWire wire() {
        return wire;
    }

    /** The reply to a call that was made does not come. */
    void hearsNothing(Consumer<Reply> receiver) {
        network.giveUp(receiver);
    }

    /** Whether no call is under way or waits to be made. */
    boolean isIdle() {
        return renewals.isIdle() && claims.isIdle();
    }

    /** Whether something is to come that makes the client decide again. */
    boolean isAwake() {
        return timer.pending() > 0;
    }

    boolean isOnEventsThread() {
        return events.isRunning();
    }
}
