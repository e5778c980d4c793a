/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.testkit.FaultyLeaseStore.Chance;
import io.camellease.testkit.FaultyLeaseStore.Operation;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/** Which fault comes next: a scripted one, else the standing one, else one by chance. Thread-safe. */
final class FaultPlan {

    private final Map<Operation, Queue<Fault>> scripts = new EnumMap<>(Operation.class);
    private Optional<Fault> standing = Optional.empty();
    private List<Chance> chances = List.of();
    private Random random = new Random(0);

    synchronized void script(Operation operation, List<Fault> faults) {
        scripts.computeIfAbsent(operation, none -> new ArrayDeque<>()).addAll(faults);
    }

    synchronized void standing(Fault fault) {
        standing = Optional.of(fault);
    }

    synchronized void seeded(long seed, List<Chance> newChances) {
        random = new Random(seed);
        chances = List.copyOf(newChances);
    }

    synchronized void clear() {
        scripts.clear();
        standing = Optional.empty();
        chances = List.of();
    }

    synchronized Fault next(Operation operation) {
        Queue<Fault> script = scripts.get(operation);
        if (script != null && !script.isEmpty()) {
            return script.remove();
        }
        return standing.orElseGet(() -> byChance(operation));
    }

    private Fault byChance(Operation operation) {
        if (chances.isEmpty()) {
            return Fault.none();
        }
        double drawn = random.nextDouble();
        for (Chance chance : chances) {
            if (chance.operations().contains(operation)) {
                drawn -= chance.probability();
                if (drawn < 0) {
                    return chance.fault();
                }
            }
        }
        return Fault.none();
    }
}
