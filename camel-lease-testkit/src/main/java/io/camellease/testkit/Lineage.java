/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import java.util.ArrayList;
import java.util.List;

/** What a simulated process and its clones have in common: they are one holder. Not thread-safe. */
final class Lineage {

    private final long soonNanos;
    private final List<SimulatedProcess> clones = new ArrayList<>();
    private long troubledAt;

    Lineage(LeaseSettings settings) {
        // each may have renewed just before, and the answer of its next renewal must get through; by a slow clock
        long nanos = 2 * settings.renewInterval().toNanos()
                + 2 * settings.storeTimeout().toNanos();
        soonNanos = nanos / 99 * 100;
    }

    /** From now on there are two. */
    void cloned(SimulatedProcess clone, SimulatedProcess original, long nowNanos) {
        clones.add(clone);
        clones.add(original);
        troubled(nowNanos);
    }

    boolean isCloned() {
        return !clones.isEmpty();
    }

    /** Whether another one than this holds a lease under this token, or may be about to be told that it does. */
    boolean isWithAnother(SimulatedProcess than, LeaseName name, long token) {
        return clones.stream()
                .filter(clone -> clone != than && clone.isAlive())
                .map(clone -> clone.elector(name))
                .anyMatch(elector -> elector.state() == LeaseState.WAITING
                        || elector.lease()
                                .filter(lease -> lease.token().value() == token)
                                .isPresent());
    }

    /** A call of one of them went wrong, or one of them stood still. */
    void troubled(long nowNanos) {
        troubledAt = nowNanos;
    }

    /** Whether two of them may not have found out yet: one of them does so as soon as both have renewed. */
    boolean mayBeTwo(long nowNanos) {
        return nowNanos - troubledAt <= soonNanos;
    }
}
