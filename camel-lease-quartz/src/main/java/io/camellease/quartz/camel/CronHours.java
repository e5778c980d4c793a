/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.CronExpression;

/** Hours that two cron expressions open and close. Stateless. */
final class CronHours {

    private CronHours() {}

    /**
     * Whether the hours open before they close, seen from now; if one of them comes no more, whether they closed after they
     * opened. If one of the expressions is missing, or never came, they are open.
     *
     * @throws IllegalStateException if an expression is wrong, which Camel has refused before
     */
    static boolean closed(@Nullable String opens, @Nullable String closes, @Nullable String timeZone, Instant now) {
        if (opens == null || closes == null) {
            return false;
        }
        Instant opening = next(opens, timeZone, now);
        Instant closing = next(closes, timeZone, now);
        if (opening != null && closing != null) {
            return opening.isBefore(closing);
        }
        String over = opening == null ? opens : closes;
        String other = opening == null ? closes : opens;
        Instant last = last(over, timeZone, now);
        Instant since = last == null ? null : next(other, timeZone, last);
        boolean hasFollowed = since != null && !since.isAfter(now);
        return last != null && hasFollowed == (opening == null);
    }

    /** The last time of all, which was before now. Quartz computes forward only. */
    private static @Nullable Instant last(String expression, @Nullable String timeZone, Instant now) {
        long before = 0;
        long after = now.getEpochSecond();
        if (next(expression, timeZone, Instant.EPOCH) == null) {
            return null;
        }
        while (after - before > 1) {
            long middle = (before + after) / 2;
            if (next(expression, timeZone, Instant.ofEpochSecond(middle)) == null) {
                after = middle;
            } else {
                before = middle;
            }
        }
        return next(expression, timeZone, Instant.ofEpochSecond(before));
    }

    private static @Nullable Instant next(String expression, @Nullable String timeZone, Instant now) {
        try {
            CronExpression cron = new CronExpression(expression);
            if (timeZone != null) {
                cron.setTimeZone(TimeZone.getTimeZone(timeZone));
            }
            Date next = cron.getTimeAfter(Date.from(now));
            return next == null ? null : next.toInstant();
        } catch (ParseException wrong) {
            throw new IllegalStateException("cron expression '" + expression + "' cannot be read", wrong);
        }
    }
}
