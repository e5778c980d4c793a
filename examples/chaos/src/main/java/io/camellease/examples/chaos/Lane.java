/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/** Carries out the harms of one lane, one after the other. Confined to one thread. */
final class Lane {

    /** The thing that is harmed. */
    interface Target {
        /** Does it, and writes it down. */
        void harm(PlannedHarm harm) throws IOException, InterruptedException;

        /** Makes it good, and writes that down; false if that is not possible yet, and this is to be called again. */
        boolean repair(PlannedHarm harm) throws IOException, InterruptedException;
    }

    private final Target target;
    private final Deque<PlannedHarm> waiting;
    private Optional<PlannedHarm> current = Optional.empty();
    private Duration repairAt = Duration.ZERO;

    Lane(Target target, Collection<PlannedHarm> harms) {
        this.target = target;
        this.waiting = new ArrayDeque<>(harms);
    }

    /**
     * Does what is due. If one thing took longer than planned the next one is late, and lasts as long as planned.
     *
     * @param elapsed since the beginning of the chaos
     */
    void tick(Duration elapsed) throws IOException, InterruptedException {
        if (current.isPresent()) {
            if (repairAt.compareTo(elapsed) <= 0 && target.repair(current.get())) {
                current = Optional.empty();
            }
        } else if (!waiting.isEmpty() && waiting.element().at().compareTo(elapsed) <= 0) {
            PlannedHarm harm = waiting.remove();
            target.harm(harm);
            current = Optional.of(harm);
            repairAt = elapsed.plus(harm.length());
        }
    }

    /** No more harm, and what is harmed is made good at once. */
    void calm() {
        waiting.clear();
        repairAt = Duration.ZERO;
    }

    /** Whether nothing is left to be made good. */
    boolean isWhole() {
        return current.isEmpty();
    }
}
