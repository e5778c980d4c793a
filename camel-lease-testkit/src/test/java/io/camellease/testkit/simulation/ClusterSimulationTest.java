/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.camellease.testkit.ClusterSimulation;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/**
 * Runs the simulation from seeds: a fixed set, and new ones for {@code -Dlease.simulation.seconds} (20 if not given), or until
 * there were {@code -Dlease.simulation.steps}.
 * {@code -Dlease.seed=N} repeats one run and nothing else.
 */
@ResourceLock("log")
class ClusterSimulationTest {

    private static final int FIXED_SEEDS = 50;

    private static final Logger CORE = (Logger) LoggerFactory.getLogger("io.camellease.core");

    @BeforeAll
    static void beQuiet() {
        CORE.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        CORE.setLevel(null);
    }

    @Test
    @EnabledIfSystemProperty(named = "lease.seed", matches = ".+")
    void theGivenSeedViolatesNothing() {
        System.out.println(ClusterSimulation.check(Long.getLong("lease.seed")));
    }

    @Test
    @DisabledIfSystemProperty(named = "lease.seed", matches = ".+")
    void fixedSeedsViolateNothing() {
        Tally tally = new Tally();
        for (long seed = 1; seed <= FIXED_SEEDS; seed++) {
            tally.run(seed);
        }
        tally.print("fixed");
    }

    @Test
    @DisabledIfSystemProperty(named = "lease.seed", matches = ".+")
    void randomSeedsViolateNothing() {
        long first = new SplittableRandom().nextLong();
        SplittableRandom seeds = new SplittableRandom(first);
        Tally tally = new Tally();
        long nanos =
                Duration.ofSeconds(Long.getLong("lease.simulation.seconds", 20)).toNanos();
        long steps = Long.getLong("lease.simulation.steps", 0);
        while (steps > 0 ? tally.steps < steps : tally.nanos() < nanos) {
            tally.run(seeds.nextLong());
        }
        tally.print("random");
    }

    @Test
    void theSameSeedRunsTheSameEveryTime() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new ClusterSimulation(seed).run())
                    .as("the second run of seed %s", seed)
                    .isEqualTo(new ClusterSimulation(seed).run());
        }
    }

    @Test
    void differentSeedsRunDifferently() {
        assertThat(new ClusterSimulation(1).run().traceHash())
                .isNotEqualTo(new ClusterSimulation(2).run().traceHash());
    }

    /** Adds up what the runs did. */
    private static final class Tally {

        private final long began = System.nanoTime();
        private int runs;
        private long steps;
        private long exchanges;
        private Duration elapsed = Duration.ZERO;

        void run(long seed) {
            ClusterSimulation.Result result = ClusterSimulation.check(seed);
            runs++;
            steps += result.steps();
            exchanges += result.exchanges();
            elapsed = elapsed.plus(result.elapsed());
        }

        long nanos() {
            return System.nanoTime() - began;
        }

        void print(String which) {
            System.out.printf(
                    "Simulation: %d %s seeds, %d steps in %.1f s, %d exchanges, %d h of virtual time%n",
                    runs, which, steps, nanos() / 1e9, exchanges, elapsed.toHours());
        }
    }
}
