/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The store of a simulation: records in memory behind a clock of its own, whose reading differs from one operation to the next
 * by as much as the clocks of its nodes may. Not thread-safe.
 */
final class SimulatedStore {

    private final VirtualTime.Node clock;
    private final Duration band;
    private final Dice dice;
    private final InMemoryLeaseStore records;
    private final LeaseStore store;
    private long aheadMillis;
    private Duration steps = Duration.ZERO;

    SimulatedStore(VirtualTime.Node clock, Duration band, Dice dice, SimulationParts parts) {
        this.clock = clock;
        this.band = band;
        this.dice = dice;
        this.records = parts.records(this::now);
        this.store = parts.store(records);
    }

    private Moment now() {
        Moment now = clock.now();
        return new Moment(now.nanos(), now.wallMillis() + aheadMillis);
    }

    /** Makes one call, on some node of the store. */
    Reply apply(Request request) {
        aheadMillis = dice.between(0, band.toMillis());
        return request.makeOn(store, steps);
    }

    /** The record as the node whose clock is furthest ahead sees it. */
    LeaseRecord latest(LeaseName name) {
        aheadMillis = band.toMillis();
        return Objects.requireNonNull(records.find(List.of(name)).records().get(name));
    }

    void stepClock(Duration by) {
        clock.stepWall(by);
        steps = steps.plus(by);
    }

    /** All steps of its clock so far, added up. */
    Duration steps() {
        return steps;
    }

    void wipe(LeaseName name) {
        records.wipe(name);
    }

    InMemoryLeaseStore.Snapshot snapshot() {
        return records.snapshot();
    }

    void restore(InMemoryLeaseStore.Snapshot snapshot) {
        records.restore(snapshot);
    }
}
