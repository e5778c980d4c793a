/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells whether a slot of a schedule has fallen due, and seldom asks the schedule for it. Not thread-safe. */
final class NextDue {

    /** How far is looked ahead, since a calendar may leave out what it likes. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private @Nullable Schedule schedule;
    private Instant since = Instant.MIN;
    private Instant free = Instant.MIN;
    private Instant looked = Instant.MIN;

    /** All up to there was looked at: what the store refused is not to be tried again and again. */
    void looked(Instant upTo) {
        looked = CatchUp.later(looked, upTo);
    }

    /** Whether one fell due after some instant, and after all that was looked at, and up to an end. */
    boolean isBy(Schedule asked, Instant after, Instant end) {
        Instant from = CatchUp.later(after, looked);
        if (!from.isBefore(end)) {
            return false;
        }
        if (!asked.equals(schedule) || !from.equals(since) || !end.isBefore(free)) {
            schedule = asked;
            since = from;
            free = asked.first(from, end.plus(AHEAD)).orElse(end.plus(AHEAD));
        }
        return !end.isBefore(free);
    }
}
