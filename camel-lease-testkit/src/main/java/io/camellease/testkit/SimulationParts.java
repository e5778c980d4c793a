/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseTimer;
import io.camellease.core.Share;
import io.camellease.core.StoreLane;
import io.camellease.core.Ticker;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/** What a simulated cluster is made of. Not final, so that the test of the simulation can put in one broken part at a time. */
class SimulationParts {

    InMemoryLeaseStore records(Ticker clock) {
        return new InMemoryLeaseStore(clock, "simulation", new RecordRules(), new ReentrantLock());
    }

    LeaseStore store(InMemoryLeaseStore records) {
        return records;
    }

    StoreLane lane(StoreLane lane) {
        return lane;
    }

    Ticker ticker(VirtualTime.Node clock) {
        return clock;
    }

    LeaseTimer timer(LeaseTimer timer) {
        return timer;
    }

    /** The thread that calls listeners. */
    Executor events(Executor events) {
        return events;
    }

    /**
     * Who a process is.
     *
     * @param start how many processes of this label have been started before
     */
    HolderId holder(String label, int start) {
        return new HolderId(label + "#" + start);
    }

    /**
     * What a process takes for a new random text.
     *
     * @param number how many it has had before, with this one
     */
    String id(String label, int start, int number) {
        return label + "-" + start + "-" + number;
    }

    /** How a lease is spread over the nodes. */
    Share share(Share share) {
        return share;
    }

    /** The store as a process sees it. */
    LeaseStore wire(LeaseStore wire) {
        return wire;
    }

    /** Whether an exchange may begin of which everything is right but perhaps one thing. */
    boolean mayBegin(boolean passes, boolean isOpenFor, boolean isBarred, boolean isFirstOfBatch) {
        return passes && isOpenFor && !isBarred;
    }

    /** Whether an exchange that may not begin goes on waiting for the lease to come back, and is not refused. */
    boolean goesOnWaiting(boolean mayComeBack, boolean hasTime) {
        return mayComeBack && hasTime;
    }

    /** Whether a route that has to drain says so at once. */
    boolean isDrained(int exchangesRunning) {
        return exchangesRunning == 0;
    }
}
