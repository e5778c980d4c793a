/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.testkit.SimulatedNetwork.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Draws what goes wrong and how long everything takes, until told to stop. Not thread-safe. */
final class FaultSchedule {

    private static final double BAD_CALLS = 0.15;
    // there are few of them, and most of what can go wrong begins with one
    private static final double BAD_CLAIMS = 0.5;
    private static final List<Fate> BAD = List.of(
            Fate.REFUSED_AT_ONCE,
            Fate.REQUEST_LOST,
            Fate.REPLY_LOST,
            Fate.REPLY_LOST,
            Fate.APPLIED_LATE,
            Fate.DUPLICATED,
            Fate.DUPLICATED,
            Fate.SENT_AGAIN,
            Fate.ANSWERED_LATE,
            Fate.ANSWERED_LATE,
            Fate.HANGS,
            Fate.HANGS_AFTER_APPLYING);

    private final SimulatedCluster cluster;
    private final SimulationProfile profile;
    private final Dice dice;
    private final FaultMask mask;
    private final List<Disruption> disruptions;
    private final Disruptor disruptor;
    private boolean calm = true;
    private int era;
    private long lastArrival;

    FaultSchedule(SimulatedCluster cluster, SimulationProfile profile, Dice dice, FaultMask mask) {
        this.cluster = cluster;
        this.profile = profile;
        this.dice = dice;
        this.mask = mask;
        Set<Disruption> asEvents =
                EnumSet.copyOf(profile.disruptions().isEmpty() ? EnumSet.of(Disruption.CRASH) : profile.disruptions());
        asEvents.remove(Disruption.BAD_NETWORK);
        asEvents.remove(Disruption.SLOW_ROUTE);
        this.disruptions = List.copyOf(asEvents);
        this.disruptor = new Disruptor(cluster, this, dice);
    }

    // ---- when

    /** From now on things go wrong. */
    void begin() {
        calm = false;
        era++;
        disruptor.begin();
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

    private void disrupt(Disruption disruption) {
        if (mask.strikes()) {
            disruptor.disrupt(disruption);
        }
    }

    /** From now on nothing goes wrong; what was disrupted is put right. Copies that are late still are. */
    void end() {
        calm = true;
        disruptor.heal();
    }

    /** Does something later, unless everything has been put right by then. */
    void inAWhile(Runnable heal) {
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

    /** Whether the newest trouble was of a kind that makes candidates wait one ttl longer, as documented. */
    boolean makesCandidatesWait() {
        return disruptor.makesCandidatesWait();
    }

    /** When the last call arrives that is under way. */
    long lastArrival() {
        return lastArrival;
    }

    void underWay(long nanos) {
        lastArrival = Math.max(lastArrival, cluster.now() + nanos);
    }

    // ---- calls

    Fate fateOf(SimulatedProcess process, Request request) {
        if (calm) {
            return Fate.ANSWERED;
        }
        if (disruptor.isCutOff(process)) {
            return dice.oneOf(List.of(Fate.REFUSED_AT_ONCE, Fate.REQUEST_LOST, Fate.REQUEST_LOST, Fate.HANGS));
        }
        double chance = request.claim().isPresent() ? BAD_CLAIMS : BAD_CALLS;
        if (profile.has(Disruption.BAD_NETWORK) && dice.chance(chance)) {
            Fate fate = dice.oneOf(BAD);
            return mask.strikes() ? fate : Fate.ANSWERED;
        }
        return Fate.ANSWERED;
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

    long listener(Dice chance) {
        return isSlow(chance, 0.2) ? chance.between(0, profile.timeout()) : 0;
    }

    /** How long a route takes to start. */
    long slowness(Dice chance) {
        return isSlow(chance, 0.3) ? chance.between(0, profile.ttl()) : chance.between(0, 5_000_000);
    }

    long exchange(Dice chance) {
        return isSlow(chance, 0.1) ? chance.between(0, profile.ttl()) : chance.between(1_000_000, profile.ttl() / 20);
    }

    long batch(Dice chance) {
        return chance.between(1, 10);
    }

    long pollInterval(Dice chance) {
        return chance.between(profile.ttl() / 100, profile.ttl() / 20);
    }

    private boolean isSlow(Dice chance, double probability) {
        return !calm && profile.has(Disruption.SLOW_ROUTE) && chance.chance(probability);
    }

    long newSeed() {
        return dice.newSeed();
    }

    /** The clocks of a process that is about to start. */
    VirtualTime.Node newClock() {
        long rate = dice.between(-profile.ratePpm(), profile.ratePpm());
        List<Duration> offsets = new ArrayList<>(List.of(Duration.ZERO, Duration.ofHours(-5), Duration.ofMillis(700)));
        return cluster.time().node(rate, dice.oneOf(offsets));
    }
}
