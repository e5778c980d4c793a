/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.quartz.TriggerKey;

/**
 * The keys of one trigger in the state of the lease's record.
 *
 * @param reserved key of the latest slot that was reserved
 */
record SlotKeys(String reserved) {

    private static final String DONE = "#done";
    private static final String SCHEDULE = "#since:";
    private static final int MAX_LENGTH = LeaseStore.MAX_KEY_LENGTH - 20;
    private static final int KEPT = 100;

    /** The keys of a trigger whose name is the same on all nodes. */
    static SlotKeys of(TriggerKey trigger) {
        // escaped, so that no two triggers share a key
        return of(trigger.getGroup().replace("%", "%25").replace("/", "%2F") + "/" + trigger.getName());
    }

    /** The keys of whatever has that name on all nodes. */
    static SlotKeys of(String name) {
        return new SlotKeys(isLegal(name) ? name : shortened(name));
    }

    private static boolean isLegal(String name) {
        try {
            return new LeaseName(name).value().length() <= MAX_LENGTH;
        } catch (IllegalArgumentException illegal) {
            return false;
        }
    }

    private static String shortened(String name) {
        String readable = name.replaceAll("[^A-Za-z0-9./%_-]", "_");
        return readable.substring(0, Math.min(readable.length(), KEPT)) + "~"
                + Schedule.hash(name).substring(0, 16);
    }

    /** Key of the low-water mark: all reserved slots up to it have been run to their end. */
    String done() {
        return reserved + DONE;
    }

    /** Key of the time since when that schedule is in force. */
    String since(Schedule schedule) {
        return reserved + SCHEDULE + schedule.fingerprint();
    }

    /** The key of the schedule that was in force last, if any was, and since when it was. */
    Optional<Map.Entry<String, Instant>> scheduleInForce(Map<String, Instant> stored) {
        return stored.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(reserved + SCHEDULE))
                .max(Comparator.comparing((Map.Entry<String, Instant> entry) -> entry.getValue())
                        .thenComparing(Map.Entry::getKey));
    }

    /** Whether that schedule was in force last. */
    boolean isInForce(Schedule schedule, Map<String, Instant> stored) {
        return scheduleInForce(stored)
                .filter(last -> last.getKey().equals(since(schedule)))
                .isPresent();
    }
}
