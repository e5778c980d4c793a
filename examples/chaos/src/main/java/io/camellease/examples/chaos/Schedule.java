/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * What is done to whom and when. Each lane (a process, a connection, a clock, the store) has a sequence of its own, with pauses
 * in between, so that harms of different lanes fall together. The same seed gives the same harms; a longer run begins like a
 * shorter one.
 */
final class Schedule {

    static final String STORE = "store";

    private static final double[] CLOCK_JUMP_SECONDS = {3600, -3600, 30, -30, 2, -2};

    private final long seed;
    private final Duration ttl;
    private final Duration length;
    private final List<PlannedHarm> harms = new ArrayList<>();

    private Schedule(long seed, Duration ttl, Duration length) {
        this.seed = seed;
        this.ttl = ttl;
        this.length = length;
    }

    /**
     * The harms of a run, by time.
     *
     * @param nodes the names of the nodes
     * @param clockNode the node whose clock can be shifted; empty for none
     * @param storeHarms what can be done to the store: a part of KILL and FREEZE
     * @param storeForgets whether a killed store comes back empty. It stays away for longer than a lease lasts then: what it
     *     acknowledged has no effect any more
     */
    static List<PlannedHarm> of(
            long seed,
            Duration ttl,
            Duration length,
            List<String> nodes,
            String clockNode,
            List<Harm> storeHarms,
            boolean storeForgets) {
        Schedule schedule = new Schedule(seed, ttl, length);
        for (String node : nodes) {
            schedule.lane(process(node), 2, 7, schedule::processHarm);
            schedule.lane(link(node), 3, 9, schedule::linkHarm);
        }
        if (!clockNode.isEmpty()) {
            schedule.lane(clock(clockNode), 2, 6, schedule::clockHarm);
        }
        if (!storeHarms.isEmpty()) {
            schedule.lane(STORE, 4, 12, random -> schedule.storeHarm(random, storeHarms, storeForgets));
        }
        schedule.harms.sort(Comparator.comparing(PlannedHarm::at));
        return List.copyOf(schedule.harms);
    }

    /** The lane of a node's process. */
    static String process(String node) {
        return "process-" + node;
    }

    /** The lane of a node's connection with the store. */
    static String link(String node) {
        return "link-" + node;
    }

    /** The lane of a node's clock. */
    static String clock(String node) {
        return "clock-" + node;
    }

    /** Fills one lane; pauses are given in ttl. */
    private void lane(String lane, double minPause, double maxPause, Function<SplittableRandom, Draft> next) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + lane.hashCode());
        Duration now = Duration.ZERO;
        while (true) {
            Duration at = now.plus(ttls(between(random, minPause, maxPause)));
            Draft draft = next.apply(random);
            PlannedHarm harm = new PlannedHarm(lane, draft.harm, at, ttls(draft.ttls), draft.amount);
            if (harm.until().compareTo(length) > 0) {
                return;
            }
            harms.add(harm);
            now = harm.until();
        }
    }

    private record Draft(Harm harm, double ttls, Duration amount) {}

    private Draft processHarm(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Draft(Harm.KILL, between(random, 0.1, 1.5), Duration.ZERO);
            case 2, 3 -> new Draft(Harm.FREEZE, between(random, 0.5, 3), Duration.ZERO);
            default -> new Draft(Harm.STOP, between(random, 0.1, 1), Duration.ZERO);
        };
    }

    private Draft linkHarm(SplittableRandom random) {
        double ttls = between(random, 0.3, 3);
        return switch (random.nextInt(6)) {
            case 0 -> new Draft(Harm.REFUSE, ttls, Duration.ZERO);
            case 1 -> new Draft(Harm.BLACKHOLE, ttls, Duration.ZERO);
            case 2, 3 -> new Draft(Harm.DELAY, ttls, ttls(between(random, 0, random.nextBoolean() ? 2 : 0.2)));
            case 4 -> new Draft(Harm.HALF_OPEN, ttls, Duration.ZERO);
            default -> new Draft(Harm.DROP_REPLY, 1, Duration.ZERO);
        };
    }

    private Draft clockHarm(SplittableRandom random) {
        double seconds = CLOCK_JUMP_SECONDS[random.nextInt(CLOCK_JUMP_SECONDS.length)];
        return new Draft(Harm.CLOCK, between(random, 0.5, 4), Duration.ofMillis((long) (seconds * 1000)));
    }

    private Draft storeHarm(SplittableRandom random, List<Harm> possible, boolean forgets) {
        Harm harm = possible.get(random.nextInt(possible.size()));
        double least = harm == Harm.KILL && forgets ? 1.2 : 0.2;
        return new Draft(harm, between(random, least, 3), Duration.ZERO);
    }

    private static double between(SplittableRandom random, double least, double most) {
        return least + random.nextDouble() * (most - least);
    }

    private Duration ttls(double count) {
        return Duration.ofMillis((long) (ttl.toMillis() * count));
    }
}
