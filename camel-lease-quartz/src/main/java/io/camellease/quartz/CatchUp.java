/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which slots of a trigger a new holder still runs. Pure.
 *
 * @param reserved the latest slot that was reserved under earlier grants; the epoch if none was
 * @param upTo everything up to here was looked at
 * @param recovering reserved slots whose run may have been cut off, in order
 * @param missed slots nobody reserved that are run now, in order
 * @param dropped how many slots nobody reserved, and nobody will
 * @param isNewSchedule whether the trigger's schedule is another one than that of the holder before
 */
record CatchUp(
        Instant reserved,
        Instant upTo,
        List<Instant> recovering,
        List<Instant> missed,
        int dropped,
        boolean isNewSchedule) {

    /** How many slots are caught up with at most: the latest ones. */
    static final int MOST = 10_000;

    CatchUp {
        recovering = List.copyOf(recovering);
        missed = List.copyOf(missed);
    }

    /** What a grant begins with. */
    static CatchUp atGrant(
            SlotKeys keys, Map<String, Instant> stored, Schedule schedule, SlotOptions options, Instant now) {
        Instant reserved = stored.getOrDefault(keys.reserved(), Instant.EPOCH);
        boolean isNew = !keys.isInForce(schedule, stored);
        // what the times of another schedule, or of none, would have been is nobody's business
        Instant owedSince = isNew ? now : later(reserved, stored.getOrDefault(keys.since(schedule), now));
        List<Instant> owed = owed(schedule, reserved, owedSince, now, options.missedFireLimit());
        List<Instant> missed = select(owed, options.missedFires());
        return new CatchUp(
                reserved,
                later(reserved, later(owedSince, now)),
                options.recoverInFlight() ? unfinished(keys, stored, schedule, isNew, now) : List.of(),
                missed,
                owed.size() - missed.size(),
                isNew);
    }

    /** Whether all slots were begun, and ended as far as is known. */
    boolean isNothing() {
        return missed.isEmpty() && dropped == 0 && recovering.isEmpty();
    }

    private static List<Instant> owed(Schedule schedule, Instant reserved, Instant since, Instant now, Duration limit) {
        List<Instant> slots = schedule.between(later(since, now.minus(limit).minusMillis(1)), now, MOST);
        // each process that starts a simple or calendar interval trigger has slots of its own; the cluster owes one per
        // period
        Instant earliest = schedule.leastPeriod().map(reserved::plus).orElse(Instant.EPOCH);
        return slots.stream().filter(slot -> !slot.isBefore(earliest)).toList();
    }

    private static List<Instant> unfinished(
            SlotKeys keys, Map<String, Instant> stored, Schedule schedule, boolean isNew, Instant now) {
        Instant reserved = stored.getOrDefault(keys.reserved(), Instant.EPOCH);
        // a mark that was never stored means that nobody asked for recovery so far
        Instant done = stored.getOrDefault(keys.done(), reserved);
        if (!done.isBefore(reserved)) {
            return List.of();
        }
        TreeSet<Instant> slots = new TreeSet<>();
        slots.add(reserved);
        if (!isNew) {
            slots.addAll(schedule.upToSlot(later(done, now.minus(SlotOptions.MAX_MISSED_FIRE_LIMIT)), reserved, MOST));
        }
        return List.copyOf(slots);
    }

    /** Of slots that were missed, those that are still run. */
    static List<Instant> select(List<Instant> owed, MissedFires missedFires) {
        return switch (missedFires) {
            case ALL -> owed;
            case ONCE -> owed.subList(Math.max(0, owed.size() - 1), owed.size());
            case SKIP -> List.of();
        };
    }

    static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
