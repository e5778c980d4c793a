/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.function.Supplier;

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
    private final FaultMask mask;
    private final Dice dice;
    private final SimulationProfile profile;
    private final SimulatedCluster cluster;

    /** A simulation that has not begun. */
    public ClusterSimulation(long seed) {
        this(seed, new SimulationParts());
    }

    ClusterSimulation(long seed, SimulationParts parts) {
        this(seed, parts, new BitSet());
    }

    private ClusterSimulation(long seed, SimulationParts parts, BitSet leftOut) {
        this.seed = seed;
        mask = new FaultMask(leftOut);
        dice = new Dice(seed);
        profile = SimulationProfile.draw(dice);
        cluster = new SimulatedCluster(profile, dice, mask, parts);
    }

    /**
     * Runs one from beginning to end. If something happened that must not, it is repeated with ever fewer faults, so that the
     * trace of the failure says what matters.
     *
     * @throws SimulationFailure if something happened that must not
     */
    public static Result check(long seed) {
        return check(seed, SimulationParts::new);
    }

    static Result check(long seed, Supplier<SimulationParts> parts) {
        try {
            return new ClusterSimulation(seed, parts.get()).run();
        } catch (SimulationFailure first) {
            throw Shrinking.shrink(leftOut -> new ClusterSimulation(seed, parts.get(), leftOut), first);
        }
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
        cluster.endCopies();
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
            throw new SimulationFailure(cluster.invariants().broken(), mask.faults(), report(violation));
        });
    }

    private String report(String violation) {
        return String.join(
                System.lineSeparator(),
                violation,
                "Repeat it with -Dlease.seed=" + seed + ". " + mask.struck() + " of " + mask.faults()
                        + " faults are enough for it.",
                profile.toString(),
                "  seconds  node",
                String.join(System.lineSeparator(), cluster.trace().last()));
    }
}
