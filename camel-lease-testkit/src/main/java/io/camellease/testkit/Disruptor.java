/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.testkit.Knowledge.Seen;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Does to a simulated cluster what a {@link Disruption} says, and puts it right again. Not thread-safe. */
final class Disruptor {

    private static final Duration LONG = Duration.ofHours(1);

    private final SimulatedCluster cluster;
    private final FaultSchedule faults;
    private final Dice dice;
    private final long ttl;
    private final Set<SimulatedProcess> cutOff = new HashSet<>();
    private final Set<SimulatedProcess> paused = new HashSet<>();
    private final Map<SimulatedProcess, Long> suspendedAt = new HashMap<>();
    private final Map<SimulatedProcess, Long> steppedBackAt = new HashMap<>();
    private boolean outage;
    private boolean makesCandidatesWait;
    private InMemoryLeaseStore.@Nullable Snapshot backup;

    Disruptor(SimulatedCluster cluster, FaultSchedule faults, Dice dice) {
        this.cluster = cluster;
        this.faults = faults;
        this.dice = dice;
        this.ttl = cluster.profile().ttl();
    }

    void begin() {
        makesCandidatesWait = false;
    }

    void heal() {
        outage = false;
        cutOff.clear();
        cluster.processes().stream().filter(paused::contains).forEach(this::resume);
        paused.clear();
    }

    boolean isCutOff(SimulatedProcess process) {
        return outage || cutOff.contains(process);
    }

    boolean makesCandidatesWait() {
        return makesCandidatesWait;
    }

    void disrupt(Disruption disruption) {
        List<SimulatedProcess> running =
                cluster.processes().stream().filter(SimulatedProcess::runs).toList();
        if (running.isEmpty()) {
            return;
        }
        SimulatedProcess process = dice.oneOf(running);
        LeaseName name = dice.oneOf(cluster.leases());
        makesCandidatesWait |= disruption.makesCandidatesWait();
        cluster.trace().add(process.label(), "== " + disruption);
        switch (disruption) {
            case OUTAGE -> outage();
            case CUT_OFF -> cutOff(process);
            case PAUSE -> pause(process, false);
            case SUSPEND -> suspend(process);
            case WALL_STEP -> stepWall(process);
            case STORE_STEP -> stepStore();
            case WIPE -> rewrite(List.of(name), () -> cluster.store().wipe(name));
            case RESTORE -> backUpOrRestore();
            case CRASH -> cluster.crash(process, dice.between(0, ttl));
            case CLONE -> cluster.copyOne();
            case CLOSE -> close(process);
            case GRACEFUL_STOP -> cluster.stopGracefully(process);
            case STOP_START -> stopAndStart(process, name);
            case GIVE_AWAY -> process.giveAway(name);
            case BAD_NETWORK, SLOW_ROUTE -> throw new IllegalStateException(disruption + " is no event");
        }
    }

    private void close(SimulatedProcess process) {
        if (!process.isClosing()) {
            cluster.close(process);
        }
    }

    private void outage() {
        outage = true;
        faults.inAWhile(() -> outage = false);
    }

    private void cutOff(SimulatedProcess process) {
        cutOff.add(process);
        faults.inAWhile(() -> cutOff.remove(process));
    }

    private void stopAndStart(SimulatedProcess process, LeaseName name) {
        process.stop(name);
        if (dice.chance(0.4)) {
            // so soon that nobody else gets it
            process.later(dice.between(0, ttl / 50), () -> process.start(name));
        } else {
            faults.inAWhile(() -> process.start(name));
        }
    }

    // ---- the clocks of a node

    private void pause(SimulatedProcess process, boolean host) {
        process.pause(host);
        paused.add(process);
        faults.inAWhile(() -> {
            if (paused.remove(process)) {
                resume(process);
            }
        });
    }

    private void resume(SimulatedProcess process) {
        cluster.trace().add(process.label(), "goes on");
        suspendedAt.computeIfPresent(process, (same, before) -> cluster.now());
        process.resume();
    }

    private void suspend(SimulatedProcess process) {
        if (!isRecent(steppedBackAt.get(process))) {
            suspendedAt.put(process, cluster.now());
            pause(process, true);
        }
    }

    private void stepWall(SimulatedProcess process) {
        Duration step = dice.oneOf(List.of(Duration.ofNanos(ttl / 10), Duration.ofNanos(ttl), LONG));
        if (dice.chance(0.5)) {
            process.clock().stepWall(step);
        } else if (!isRecent(suspendedAt.get(process))) {
            steppedBackAt.put(process, cluster.now());
            process.clock().stepWall(step.negated());
        }
    }

    /** Documented as not covered: under one grant, a host that was suspended and a wall clock that was stepped back. */
    private boolean isRecent(@Nullable Long atNanos) {
        return atNanos != null && cluster.now() - atNanos <= ttl;
    }

    // ---- the store

    private void stepStore() {
        boolean maySetBack =
                !cluster.profile().has(Disruption.WIPE) && !cluster.profile().has(Disruption.RESTORE);
        // tokens of a lost record grow by the clock, so a clock that goes back as well may repeat them: rule S6 says so
        Duration step = maySetBack && dice.chance(0.5) ? LONG.negated() : LONG;
        cluster.trace().add("store", "clock stepped by " + step);
        cluster.store().stepClock(step);
        if (!step.isNegative()) {
            Duration steps = cluster.store().steps();
            Set<SimulatedProcess> informed =
                    informed(process -> process.knowledge().showsStep(steps));
            cluster.leases().forEach(name -> cluster.invariants().excuses().clockJumped(name, informed));
        }
    }

    private void backUpOrRestore() {
        InMemoryLeaseStore.Snapshot before = backup;
        if (before == null) {
            backup = cluster.store().snapshot();
            cluster.trace().add("store", "backed up");
        } else {
            backup = null;
            rewrite(cluster.leases(), () -> cluster.store().restore(before));
            cluster.trace().add("store", "restored");
        }
    }

    private void rewrite(List<LeaseName> names, Runnable change) {
        Map<LeaseName, Seen> before = new LinkedHashMap<>();
        names.forEach(name -> before.put(name, stateOf(name)));
        change.run();
        before.forEach((name, state) -> {
            Seen now = stateOf(name);
            if (!now.equals(state)) {
                cluster.invariants().excuses().rewritten(name, state.token(), informed(process -> process.knowledge()
                        .showsRewriting(name, state, now)));
            }
        });
    }

    private Seen stateOf(LeaseName name) {
        return Seen.of(cluster.store().latest(name));
    }

    private Set<SimulatedProcess> informed(Predicate<SimulatedProcess> shows) {
        Set<SimulatedProcess> informed = new HashSet<>();
        cluster.processes().stream().filter(shows).forEach(informed::add);
        return informed;
    }
}
