/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseSettings;
import io.camellease.core.Share;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one run of a simulation is like, as drawn from its seed. Each run has some kinds of trouble and not others, because
 * with all of them at once the rare ones hide each other.
 *
 * @param settings the same for all nodes
 * @param nodes how many
 * @param leases how many that each node wants
 * @param workers how many exchanges a route runs at once
 * @param ratePpm how far at most the clocks of nodes and store run too fast or too slow
 * @param disruptions the kinds of trouble
 */
record SimulationProfile(
        LeaseSettings settings, int nodes, int leases, int workers, long ratePpm, Set<Disruption> disruptions) {

    /** There and back, when nothing goes wrong. */
    private static final long LONGEST_CALL = 6_000_000;

    static SimulationProfile draw(Dice dice) {
        Duration ttl = Duration.ofSeconds(dice.oneOf(List.of(3, 10, 30)));
        LeaseSettings settings = LeaseSettings.builder(ttl)
                .suspendMargin(ttl.dividedBy(dice.oneOf(List.of(6, 20, 50))))
                .clockBand(ttl.dividedBy(dice.oneOf(List.of(30, 100, 1000))))
                .build();
        return new SimulationProfile(
                settings,
                (int) dice.between(2, dice.chance(0.8) ? 3 : 7),
                (int) dice.between(1, dice.chance(0.7) ? 1 : 3),
                (int) dice.between(1, dice.chance(0.7) ? 1 : 3),
                dice.oneOf(List.of(0L, 4_000L, 10_000L)),
                disruptions(dice));
    }

    private static Set<Disruption> disruptions(Dice dice) {
        double density = dice.oneOf(List.of(0.15, 0.3, 0.6));
        Set<Disruption> drawn = EnumSet.noneOf(Disruption.class);
        for (Disruption disruption : Disruption.values()) {
            if (dice.chance(density)) {
                drawn.add(disruption);
            }
        }
        return drawn;
    }

    boolean has(Disruption disruption) {
        return disruptions.contains(disruption);
    }

    /** How a lease is spread: half of all runs prefer a node for every other lease, which is there or not. */
    Share share(int lease) {
        boolean preferred = nodes % 2 == 1 && lease % 2 == 0;
        return new Share(Share.UNLIMITED, preferred ? Optional.of("a") : Optional.empty());
    }

    long ttl() {
        return settings.ttl().toNanos();
    }

    long timeout() {
        return settings.storeTimeout().toNanos();
    }

    long longestExchange() {
        return has(Disruption.SLOW_ROUTE) ? ttl() : ttl() / 20;
    }

    /**
     * How long at most, once nothing goes wrong any more, until some node may work.
     *
     * @param waits whether candidates have a reason to wait for one ttl more
     */
    long liveness(boolean waits) {
        long expiry = ttl() + settings.clockBand().toNanos();
        long wait = waits ? ttl() / 100 * 102 : 0;
        // a call that hung when the trouble ended is abandoned after two timeouts
        long claims = settings.claimInterval().toNanos() + 2 * timeout() + 4 * LONGEST_CALL * leases;
        // by a clock that is 1 % slow
        return (expiry + wait + claims + longestExchange()) / 99 * 100;
    }
}
