/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The nodes, the store and the time of one simulation. Not thread-safe. */
final class SimulatedCluster {

    private final VirtualTime time = new VirtualTime();
    private final Trace trace = new Trace(time);
    private final SimulationProfile profile;
    private final SimulationParts parts;
    private final List<LeaseName> leases;
    private final Invariants invariants;
    private final FaultSchedule faults;
    private final SimulatedStore store;
    private final List<String> labels;
    // replaced and never changed, as it is looked at after every step
    private List<SimulatedProcess> processes = List.of();
    private final Map<String, Integer> starts = new HashMap<>();
    private long steps;

    SimulatedCluster(SimulationProfile profile, Dice dice, FaultMask mask, SimulationParts parts) {
        this.profile = profile;
        this.parts = parts;
        leases = IntStream.range(0, profile.leases())
                .mapToObj(i -> new LeaseName("lease-" + i))
                .toList();
        labels = IntStream.range(0, profile.nodes())
                .mapToObj(i -> String.valueOf((char) ('a' + i)))
                .toList();
        invariants = new Invariants(this);
        faults = new FaultSchedule(this, profile, dice, mask);
        store = new SimulatedStore(faults.newClock(), profile.settings().clockBand(), dice, parts);
        labels.forEach(this::start);
        time.afterEachTask(() -> {
            steps++;
            invariants.afterStep();
        });
    }

    VirtualTime time() {
        return time;
    }

    /** True time since the beginning, in nanoseconds. */
    long now() {
        return time.elapsed().toNanos();
    }

    Trace trace() {
        return trace;
    }

    SimulationProfile profile() {
        return profile;
    }

    SimulationParts parts() {
        return parts;
    }

    List<LeaseName> leases() {
        return leases;
    }

    Invariants invariants() {
        return invariants;
    }

    FaultSchedule faults() {
        return faults;
    }

    SimulatedStore store() {
        return store;
    }

    /** Those that live. */
    List<SimulatedProcess> processes() {
        return processes;
    }

    long steps() {
        return steps;
    }

    private void start(String label) {
        int start = starts.merge(label, 1, Integer::sum);
        SimulatedProcess process = new SimulatedProcess(
                this, new SimulatedProcess.Identity(label, start), faults.newClock(), faults.newSeed());
        if (profile.has(Disruption.CLONE) && label.equals(labels.get(0))) {
            process.addTwin();
        }
        process.note(() -> "starts as " + process.holder());
        add(process);
        process.start();
    }

    private void add(SimulatedProcess process) {
        List<SimulatedProcess> more = new ArrayList<>(processes);
        more.add(process);
        processes = List.copyOf(more);
    }

    private void restart(String label) {
        if (processes.stream().noneMatch(process -> process.label().equals(label))) {
            start(label);
        }
    }

    void crash(SimulatedProcess process, long restartNanos) {
        process.kill();
        processes = processes.stream().filter(other -> other != process).toList();
        if (labels.contains(process.label())) {
            time.schedule(() -> restart(process.label()), restartNanos);
        }
    }

    /** From now on there are two of some process that can be copied. */
    void copyOne() {
        processes.stream()
                .filter(process -> process.runs() && process.shadow().follower().isPresent())
                .findFirst()
                .ifPresent(this::copy);
    }

    private void copy(SimulatedProcess process) {
        process.shadow().part().ifPresent(clone -> {
            clone.lineage().cloned(clone, process, now());
            clone.note(() -> "is a copy of " + clone.holder());
            add(clone);
        });
    }

    /** Ends all copies. */
    void endCopies() {
        for (SimulatedProcess process : processes) {
            if (!labels.contains(process.label())) {
                process.note(() -> "ends");
                crash(process, 0);
            }
        }
    }

    /** Closes the client of a process, which ends when that is done. */
    void close(SimulatedProcess process) {
        process.close(2 * profile.timeout());
        endWhenClosed(process);
    }

    private void endWhenClosed(SimulatedProcess process) {
        time.schedule(
                () -> {
                    if (process.isClosed()) {
                        process.note(() -> "ends after it was closed");
                        crash(process, 0);
                    } else if (process.isAlive()) {
                        endWhenClosed(process);
                    }
                },
                profile.timeout() / 5);
    }

    /** The store makes a call of a process. */
    Reply applies(SimulatedProcess process, Request request) {
        if (!process.lineage().isCloned()) {
            return store.apply(request);
        }
        Map<LeaseName, LeaseRecord> before = new HashMap<>();
        request.names().forEach(name -> before.put(name, store.latest(name)));
        Reply reply = store.apply(request);
        before.forEach((name, record) -> {
            LeaseRecord after = store.latest(name);
            // expired or not: whoever waits because the store's clock jumped takes a released one at once
            boolean ended = !record.released() && (after.released() || after.token() > record.token());
            if (ended && process.lineage().isWithAnother(process, name, record.token())) {
                invariants.excuses().endedByClone(name, record.token());
            }
        });
        return reply;
    }

    void stopGracefully(SimulatedProcess process) {
        process.stop();
        crashWhenStopped(process);
    }

    private void crashWhenStopped(SimulatedProcess process) {
        time.schedule(
                () -> {
                    if (process.isStopped()) {
                        trace.add(process.label(), "ends in good order");
                        crash(process, profile.ttl() / 2);
                    } else if (process.isAlive()) {
                        crashWhenStopped(process);
                    }
                },
                profile.ttl() / 10);
    }

    /** Starts every node and lease that does not run. */
    void startAll() {
        labels.forEach(this::restart);
        processes.forEach(SimulatedProcess::start);
    }

    /** Lets true time go on until the condition holds or something is violated. */
    boolean advanceUntil(BooleanSupplier condition, long nanos) {
        time.advanceUntil(
                () -> condition.getAsBoolean() || invariants.violation().isPresent(),
                Duration.ofNanos(Math.max(0, nanos)));
        return condition.getAsBoolean();
    }

    /** Whether some node may work under each lease. */
    boolean isEachHeld() {
        return leases.stream().allMatch(name -> processes.stream()
                .map(process -> process.elector(name))
                .map(LeaseElector::check)
                .anyMatch(Optional::isPresent));
    }

    /** Where each node stands with each lease, for people. */
    String states() {
        StringBuilder states = new StringBuilder();
        for (SimulatedProcess process : processes) {
            for (LeaseName name : leases) {
                states.append(process.holder())
                        .append(' ')
                        .append(name)
                        .append(' ')
                        .append(process.elector(name).state())
                        .append(' ');
            }
        }
        return states.append(leases.stream().map(store::latest).toList()).toString();
    }
}
