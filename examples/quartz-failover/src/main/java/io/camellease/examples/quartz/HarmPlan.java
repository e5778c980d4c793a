/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Which harm is done when, at random but the same for the same seed. Every kind comes once in six. Confined to one thread. */
final class HarmPlan {

    private static final List<Harm> BAG =
            List.of(Harm.KILL, Harm.FREEZE, Harm.STOP, Harm.KILL, Harm.FREEZE, Harm.OUTAGE);
    private static final double SHARE_OF_HOLDER = 0.8;

    private final Random random;
    private final Duration ttl;
    private final Deque<Harm> bag = new ArrayDeque<>();

    /** @param ttl what all times are measured by */
    HarmPlan(long seed, Duration ttl) {
        this.random = new Random(seed);
        this.ttl = ttl;
    }

    /** The next one. */
    PlannedHarm next() {
        if (bag.isEmpty()) {
            List<Harm> shuffled = new ArrayList<>(BAG);
            Collections.shuffle(shuffled, random);
            bag.addAll(shuffled);
        }
        Harm harm = bag.pop();
        boolean toHolder = random.nextDouble() < SHARE_OF_HOLDER;
        Duration before = ttls(0.3, 2.5);
        return new PlannedHarm(harm, toHolder, before, harm == Harm.FREEZE ? ttls(0.3, 3.5) : ttls(0, 1.5));
    }

    private Duration ttls(double least, double most) {
        return Duration.ofMillis((long) (ttl.toMillis() * (least + random.nextDouble() * (most - least))));
    }
}
