/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.time.Duration;

/**
 * Some nodes that contend for leases in one store, in virtual time, while whatever can go wrong does, and a check after every
 * step that nothing happened which must not. Everything is drawn from a seed, so that a run can be repeated exactly.
 *
 * <p>Real are the client, its electors and all their decisions, and the rules of the store. Simulated are time, threads, the
 * network and the routes. Not thread-safe; many simulations can run in one process, one after the other or side by side.
 */
public final class ClusterSimulation {

    private static final int ROUNDS = 4;

    /**
     * What a run was like.
     *
     * @param steps how many tasks ran
     * @param exchanges how many exchanges began
     * @param elapsed how much virtual time passed
     * @param traceHash equal for runs in which the same things happened
     */
    public record Result(long steps, long exchanges, Duration elapsed, long traceHash) {}

    private final long seed;
    private final Dice dice;
    private final SimulationProfile profile;
    private final SimulatedCluster cluster;

    /** A simulation that has not begun. */
    public ClusterSimulation(long seed) {
        this(seed, new SimulationParts());
    }

    ClusterSimulation(long seed, SimulationParts parts) {
        this.seed = seed;
        dice = new Dice(seed);
        profile = SimulationProfile.draw(dice);
        cluster = new SimulatedCluster(profile, dice, parts);
    }

    /**
     * Runs it from beginning to end: times in which things go wrong, each followed by one in which nothing does.
     *
     * @throws SimulationFailure if something happened that must not
     */
    public Result run() {
        for (int round = 0; round < ROUNDS; round++) {
            calm();
            trouble();
        }
        calm();
        return new Result(
                cluster.steps(),
                cluster.invariants().exchanges(),
                cluster.time().elapsed(),
                cluster.trace().hash());
    }

    private void trouble() {
        cluster.trace().add("--", "trouble begins");
        cluster.invariants().settled(false);
        cluster.faults().begin();
        goOn(profile.ttl() * dice.between(3, 12));
        cluster.faults().end();
    }

    private void calm() {
        cluster.trace().add("--", "trouble ends");
        cluster.startAll();
        goOn(cluster.faults().lastArrival() - cluster.now());
        long liveness = profile.liveness(cluster.faults().makesCandidatesWait());
        boolean held = cluster.advanceUntil(cluster::isEachHeld, liveness);
        cluster.invariants()
                .require(
                        held,
                        "once nothing goes wrong, each lease is held in time",
                        () -> "not within " + Duration.ofNanos(liveness) + ", " + cluster.states());
        throwIfViolated();
        keep();
    }

    /** Listeners may still hear of the trouble for a while; then nothing may happen any more. */
    private void keep() {
        goOn(profile.liveness(true));
        cluster.invariants().settled(true);
        goOn(profile.ttl());
    }

    private void goOn(long nanos) {
        cluster.advanceUntil(() -> false, nanos);
        throwIfViolated();
    }

    private void throwIfViolated() {
        cluster.invariants().violation().ifPresent(violation -> {
            String trace = String.join(System.lineSeparator(), cluster.trace().last());
            throw new SimulationFailure(
                    cluster.invariants().broken(),
                    violation + System.lineSeparator() + "repeat it with -Dlease.seed=" + seed + System.lineSeparator()
                            + profile + System.lineSeparator() + trace);
        });
    }
}
