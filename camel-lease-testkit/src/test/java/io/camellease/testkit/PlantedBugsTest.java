/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/** The test of the simulation: it must find what is wrong in clusters that are wrong in one point, and say so readably. */
@ResourceLock("log")
class PlantedBugsTest {

    private static final int SEEDS = 300;

    private static final long SEED = 3;

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
    void theSimulationFindsPlantedBugs() {
        Map<String, Supplier<SimulationParts>> plants = SimulationPlants.all();
        List<String> missed = new ArrayList<>();
        plants.forEach((name, parts) -> {
            Optional<String> found = search(parts);
            System.out.printf("Planted: %-68s %s%n", name, found.orElse("NOT FOUND"));
            if (found.isEmpty()) {
                missed.add(name);
            }
        });
        System.out.printf("Planted bugs found: %d of %d%n", plants.size() - missed.size(), plants.size());

        assertThat(missed).isEmpty();
    }

    private static Optional<String> search(Supplier<SimulationParts> parts) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new ClusterSimulation(seed, parts.get()).run();
            } catch (SimulationFailure failure) {
                return Optional.of("seed " + seed + ": " + failure.invariant());
            }
        }
        return Optional.empty();
    }

    @Test
    void aFailureIsRepeatedWithFewerFaults() {
        long seed = LongStream.rangeClosed(1, SEEDS)
                .filter(candidate -> failure(candidate) != null)
                .findFirst()
                .orElseThrow();
        SimulationFailure first = Objects.requireNonNull(failure(seed));
        SimulationFailure shrunk =
                catchThrowableOfType(SimulationFailure.class, () -> ClusterSimulation.check(seed, broken()));

        assertThat(shrunk.invariant()).isEqualTo(first.invariant());
        assertThat(struck(shrunk)).isLessThan(struck(first));
        assertThat(shrunk)
                .hasMessageContainingAll(
                        shrunk.invariant(), "-Dlease.seed=" + seed, "SimulationProfile[", "release lease-", "!!");
    }

    private static @Nullable SimulationFailure failure(long seed) {
        return catchThrowableOfType(SimulationFailure.class, () -> new ClusterSimulation(seed, broken().get()).run());
    }

    /** From "7 of 21 faults are enough". */
    private static int struck(SimulationFailure failure) {
        Matcher faults = Pattern.compile("(\\d+) of \\d+ faults").matcher(failure.getMessage());
        assertThat(faults.find()).isTrue();
        return Integer.parseInt(faults.group(1));
    }

    @Test
    void aRunThatViolatesNothingIsNotRepeated() {
        assertThat(ClusterSimulation.check(SEED)).isEqualTo(new ClusterSimulation(SEED).run());
    }

    private static Supplier<SimulationParts> broken() {
        return Objects.requireNonNull(SimulationPlants.all().get("s5 release frees a successor"));
    }
}
