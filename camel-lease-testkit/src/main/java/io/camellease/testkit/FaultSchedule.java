/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.testkit.SimulatedNetwork.Fate;
import io.camellease.testkit.SimulatedProcess.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws what goes wrong and how long everything takes, until told to stop. Not thread-safe. */
final class FaultSchedule {

    private static final double BAD_CALLS = 0.15;
    private static final List<Fate> BAD = List.of(
            Fate.REFUSED_AT_ONCE,
            Fate.REQUEST_LOST,
            Fate.REPLY_LOST,
            Fate.REPLY_LOST,
            Fate.APPLIED_LATE,
            Fate.DUPLICATED,
            Fate.SENT_AGAIN,
            Fate.ANSWERED_LATE,
            Fate.ANSWERED_LATE,
            Fate.HANGS,
            Fate.HANGS_AFTER_APPLYING);

    private final SimulatedCluster cluster;
    private final SimulationProfile profile;
    private final Dice dice;
    private final List<Disruption> disruptions;
    private final Set<SimulatedProcess> cutOff = new HashSet<>();
    private final Set<SimulatedProcess> paused = new HashSet<>();
    private boolean outage;
    private boolean calm = true;
    private int era;
    private long lastArrival;
    private long steppedAt;
    private InMemoryLeaseStore.@Nullable Snapshot backup;

    FaultSchedule(SimulatedCluster cluster, SimulationProfile profile, Dice dice) {
        this.cluster = cluster;
        this.profile = profile;
        this.dice = dice;
        Set<Disruption> asEvents =
                EnumSet.copyOf(profile.disruptions().isEmpty() ? EnumSet.of(Disruption.CRASH) : profile.disruptions());
        asEvents.remove(Disruption.BAD_NETWORK);
        asEvents.remove(Disruption.SLOW_ROUTE);
        this.disruptions = List.copyOf(asEvents);
    }

    // ---- when

    /** From now on things go wrong. */
    void begin() {
        calm = false;
        era++;
        next(era);
    }

    private void next(int of) {
        cluster.time()
                .schedule(
                        () -> {
                            if (of == era && !calm) {
                                if (!disruptions.isEmpty()) {
                                    disrupt(dice.oneOf(disruptions));
                                }
                                next(of);
                            }
                        },
                        dice.between(profile.ttl() / 20, profile.ttl()));
    }

    /** From now on nothing goes wrong; what was disrupted is put right. Copies that are late still are. */
    void end() {
        calm = true;
        outage = false;
        cutOff.clear();
        cluster.processes().stream().filter(paused::contains).forEach(SimulatedProcess::resume);
        paused.clear();
    }

    /** When the last call arrives that is under way. */
    long lastArrival() {
        return lastArrival;
    }

    void underWay(long nanos) {
        lastArrival = Math.max(lastArrival, cluster.now() + nanos);
    }

    // ---- calls

    Fate fateOf(SimulatedProcess process) {
        if (calm) {
            return Fate.ANSWERED;
        }
        if (outage || cutOff.contains(process)) {
            return dice.oneOf(List.of(Fate.REFUSED_AT_ONCE, Fate.REQUEST_LOST, Fate.REQUEST_LOST, Fate.HANGS));
        }
        return profile.has(Disruption.BAD_NETWORK) && dice.chance(BAD_CALLS) ? dice.oneOf(BAD) : Fate.ANSWERED;
    }

    long delay() {
        boolean slow = !calm && profile.has(Disruption.BAD_NETWORK) && dice.chance(0.2);
        return dice.between(100_000, slow ? profile.timeout() * 45 / 100 : 3_000_000);
    }

    long longDelay() {
        return dice.between(profile.timeout() / 2, profile.ttl());
    }

    /** After the timeout of the call, but perhaps before the lane gives up. */
    long lateReply() {
        return dice.between(profile.timeout(), profile.timeout() * 22 / 10);
    }

    // ---- routes

    long listener() {
        return isSlow(0.2) ? dice.between(0, profile.timeout()) : 0;
    }

    /** How long a route takes to start. */
    long slowness() {
        return isSlow(0.3) ? dice.between(0, profile.ttl()) : dice.between(0, 5_000_000);
    }

    long exchange() {
        return isSlow(0.1) ? dice.between(0, profile.ttl()) : dice.between(1_000_000, profile.ttl() / 20);
    }

    long batch() {
        return dice.between(1, 10);
    }

    long pollInterval() {
        return dice.between(profile.ttl() / 100, profile.ttl() / 20);
    }

    private boolean isSlow(double probability) {
        return !calm && profile.has(Disruption.SLOW_ROUTE) && dice.chance(probability);
    }

    // ---- disruptions

    private void disrupt(Disruption disruption) {
        List<SimulatedProcess> running =
                cluster.processes().stream().filter(SimulatedProcess::runs).toList();
        if (running.isEmpty()) {
            return;
        }
        SimulatedProcess process = dice.oneOf(running);
        LeaseName name = dice.oneOf(cluster.leases());
        cluster.trace().add(process.label(), "== " + disruption);
        switch (disruption) {
            case OUTAGE -> outage();
            case CUT_OFF -> cutOff(process);
            case PAUSE -> pause(process, false);
            case SUSPEND -> pause(process, true);
            case WALL_STEP -> process.clock().stepWall(step());
            case STORE_STEP -> stepStore();
            case WIPE -> wipe(name);
            case RESTORE -> backUpOrRestore();
            case CRASH -> cluster.crash(process, dice.between(0, profile.ttl()));
            case GRACEFUL_STOP -> cluster.stopGracefully(process);
            case STOP_START -> stopAndStart(process, name);
            case GIVE_AWAY -> process.elector(name).giveAway();
            case BAD_NETWORK, SLOW_ROUTE -> throw new IllegalStateException(disruption + " is no event");
        }
    }

    private void inAWhile(Runnable heal) {
        int of = era;
        cluster.time()
                .schedule(
                        () -> {
                            if (of == era && !calm) {
                                heal.run();
                            }
                        },
                        dice.between(profile.ttl() / 50, profile.ttl() * 3 / 2));
    }

    private void outage() {
        outage = true;
        inAWhile(() -> outage = false);
    }

    private void cutOff(SimulatedProcess process) {
        cutOff.add(process);
        inAWhile(() -> cutOff.remove(process));
    }

    private void pause(SimulatedProcess process, boolean host) {
        process.pause(host);
        paused.add(process);
        inAWhile(() -> {
            if (paused.remove(process)) {
                cluster.trace().add(process.label(), "goes on");
                process.resume();
            }
        });
    }

    private Duration step() {
        long nanos = dice.oneOf(
                List.of(profile.ttl() / 10, profile.ttl(), Duration.ofHours(1).toNanos()));
        return Duration.ofNanos(dice.chance(0.5) ? nanos : -nanos);
    }

    private void stepStore() {
        Duration step = Duration.ofHours(dice.chance(0.5) ? 1 : -1);
        Set<SimulatedProcess> informed = new HashSet<>();
        for (SimulatedProcess process : cluster.processes()) {
            if (process.readStoreClockSince(steppedAt)) {
                informed.add(process);
            }
        }
        cluster.leases().forEach(name -> cluster.invariants().upheaval(name, informed));
        steppedAt = cluster.now();
        cluster.trace().add("store", "clock stepped by " + step);
        cluster.store().stepClock(step);
    }

    private void wipe(LeaseName name) {
        rewrite(List.of(name), () -> cluster.store().wipe(name));
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
                cluster.invariants().upheaval(name, informed(name, state, now));
            }
        });
    }

    private Seen stateOf(LeaseName name) {
        LeaseRecord record = cluster.store().latest(name);
        return new Seen(record.token(), record.seq());
    }

    /** Who knows the grant that the record had before, and sees that the record is older now. */
    private Set<SimulatedProcess> informed(LeaseName name, Seen before, Seen now) {
        Set<SimulatedProcess> informed = new HashSet<>();
        for (SimulatedProcess process : cluster.processes()) {
            Seen seen = process.seen(name);
            if (seen.token() >= before.token() && seen.compareTo(now) > 0) {
                informed.add(process);
            }
        }
        return informed;
    }

    private void stopAndStart(SimulatedProcess process, LeaseName name) {
        process.elector(name).stop();
        inAWhile(() -> process.elector(name).start());
    }

    /** The clocks of a process that is about to start. */
    VirtualTime.Node newClock() {
        long rate = dice.between(-profile.ratePpm(), profile.ratePpm());
        List<Duration> offsets = new ArrayList<>(List.of(Duration.ZERO, Duration.ofHours(-5), Duration.ofMillis(700)));
        return cluster.time().node(rate, dice.oneOf(offsets));
    }
}
