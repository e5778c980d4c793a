/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import java.time.Instant;
import java.util.Date;
import org.apache.camel.routepolicy.quartz.SimpleScheduledRoutePolicy;
import org.jspecify.annotations.Nullable;

/** Hours that open and close at a date, and again after a while or not. Stateless. */
@SuppressWarnings("JavaUtilDate") // is what Camel's policy has
final class DatedHours {

    private DatedHours() {}

    /** Whether both pairs of a policy have the route run. A pair of which one date is missing says nothing. */
    static boolean areOpen(SimpleScheduledRoutePolicy policy, Instant now) {
        Times starts = Times.of(
                policy.getRouteStartDate(), policy.getRouteStartRepeatCount(), policy.getRouteStartRepeatInterval());
        Times stops = Times.of(
                policy.getRouteStopDate(), policy.getRouteStopRepeatCount(), policy.getRouteStopRepeatInterval());
        Times resumes = Times.of(
                policy.getRouteResumeDate(), policy.getRouteResumeRepeatCount(), policy.getRouteResumeRepeatInterval());
        Times suspends = Times.of(
                policy.getRouteSuspendDate(),
                policy.getRouteSuspendRepeatCount(),
                policy.getRouteSuspendRepeatInterval());
        return areOpen(starts, stops, now) && areOpen(resumes, suspends, now);
    }

    private static boolean areOpen(@Nullable Times opening, @Nullable Times closing, Instant now) {
        if (opening == null || closing == null) {
            return true;
        }
        long opened = opening.last(now.toEpochMilli());
        long closed = closing.last(now.toEpochMilli());
        boolean isBefore = opened == Times.NEVER && closed == Times.NEVER;
        return isBefore ? closing.first < opening.first : opened > closed;
    }

    /**
     * Times at which a trigger fires, in milliseconds since 1970.
     *
     * @param count how often after the first, below 0 without end
     */
    private record Times(long first, int count, long interval) {

        static final long NEVER = Long.MIN_VALUE;

        static @Nullable Times of(@Nullable Date first, int count, long interval) {
            return first == null ? null : new Times(first.getTime(), count, interval);
        }

        /** The latest that is not after now. */
        long last(long now) {
            if (now < first) {
                return NEVER;
            }
            long since = interval > 0 ? (now - first) / interval : 0;
            return first + (count < 0 ? since : Math.min(since, count)) * interval;
        }
    }
}
