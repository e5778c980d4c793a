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
     * Whether the hours open before they close, seen from now. If one of the expressions is missing, or never comes again, they
     * are open.
     *
     * @throws IllegalStateException if an expression is wrong, which Camel has refused before
     */
    static boolean closed(@Nullable String opens, @Nullable String closes, @Nullable String timeZone, Instant now) {
        Instant opening = next(opens, timeZone, now);
        Instant closing = next(closes, timeZone, now);
        return opening != null && closing != null && opening.isBefore(closing);
    }

    private static @Nullable Instant next(@Nullable String expression, @Nullable String timeZone, Instant now) {
        if (expression == null) {
            return null;
        }
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
