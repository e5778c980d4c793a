/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.CalendarIntervalTrigger;
import org.quartz.CronTrigger;
import org.quartz.DailyTimeIntervalTrigger;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.OperableTrigger;

/**
 * When a trigger is to fire, by the trigger's own computation on a copy of it: Quartz changes a trigger each time it fires, and
 * moves the start of one that misfired. Thread-safe.
 */
final class Schedule {

    private static final int FINGERPRINT_DIGITS = 8;
    private static final Duration RUN_UP = Duration.ofHours(3);
    private static final Duration OVERLOOKED = Duration.ofSeconds(2);

    private final OperableTrigger trigger;
    private final @Nullable Calendar calendar;
    private final Instant seenAt;
    private final boolean startsLater;

    /**
     * The schedule of a trigger as it is now.
     *
     * @param calendar the times that the trigger leaves out, or null
     * @param now when the trigger was first seen
     */
    Schedule(Trigger trigger, @Nullable Calendar calendar, Instant now) {
        this.trigger = copy((OperableTrigger) trigger);
        this.calendar = calendar;
        this.seenAt = now;
        // a trigger that names no start begins when it is built; one whose start is still to come means it
        this.startsLater = trigger.getStartTime().toInstant().isAfter(now.plusSeconds(1));
    }

    private Schedule(Schedule other, @Nullable Calendar calendar) {
        this.trigger = copy(other.trigger);
        this.calendar = calendar;
        this.seenAt = other.seenAt;
        this.startsLater = other.startsLater;
    }

    /** The same schedule with that calendar, which may have been changed. */
    Schedule with(@Nullable Calendar other) {
        return calendar == null && other == null ? this : new Schedule(this, other);
    }

    /** When this node saw the trigger first, as it is. */
    Instant seenAt() {
        return seenAt;
    }

    private static OperableTrigger copy(OperableTrigger trigger) {
        OperableTrigger copy = (OperableTrigger) trigger.clone();
        if (copy instanceof SimpleTriggerImpl simple) {
            // it counts its fires, and after the last one denies all of them
            simple.setTimesTriggered(0);
        }
        return copy;
    }

    /** Whether the trigger is to fire at that time; a misfired trigger fires at others. */
    synchronized boolean contains(Instant slot) {
        Instant after = slot.minusMillis(1);
        return !between(trigger, looksFrom(after), after, slot, 1).isEmpty();
    }

    /** Whether the trigger, if it is not removed, is still there after that time. */
    synchronized boolean goesOnAfter(Instant time) {
        return trigger.getFireTimeAfter(Date.from(time)) != null;
    }

    /**
     * The slots after one instant and up to another, as if the trigger had been there all the time.
     *
     * @param most how many at most; the latest ones
     */
    synchronized List<Instant> between(Instant after, Instant upTo, int most) {
        // in the hour that an autumn night has twice, what Quartz finds next depends on where it begins to look
        Instant from = trigger instanceof CronTrigger && !upTo.isBefore(after) ? after.minus(RUN_UP) : looksFrom(after);
        return between(extendedBackTo(from), from, after, upTo, most);
    }

    /** The slots after one instant and up to one that was a slot, if only of another process with a period of its own. */
    synchronized List<Instant> upToSlot(Instant after, Instant slot, int most) {
        Optional<Duration> period = period();
        return period.isPresent() && slot.isAfter(after)
                ? between(movedTo(slot, after, period.get()), after, after, slot, most)
                : between(after, slot, most);
    }

    /** The first slot after one instant and up to another. */
    synchronized Optional<Instant> first(Instant after, Instant upTo) {
        Instant from = looksFrom(after);
        OperableTrigger extended = extendedBackTo(from);
        Optional<Instant> slot = next(extended, from, upTo);
        while (slot.isPresent() && !slot.get().isAfter(after)) {
            slot = next(extended, slot.get(), upTo);
        }
        return slot;
    }

    /** The slots of some seconds; in the hour that an autumn night has twice, one may be missing. */
    synchronized List<Instant> shortlyBefore(Instant upTo, Instant after) {
        return between(extendedBackTo(after), looksFrom(after), after, upTo, CatchUp.MOST);
    }

    /** A daily trigger skips a second before it looks, and with it a slot that the end of its day or of its own follows. */
    private Instant looksFrom(Instant after) {
        return trigger instanceof DailyTimeIntervalTrigger ? after.minus(OVERLOOKED) : after;
    }

    /** Guarded by the lock. */
    private List<Instant> between(OperableTrigger extended, Instant from, Instant after, Instant upTo, int most) {
        Deque<Instant> slots = new ArrayDeque<>();
        Optional<Instant> slot = next(extended, from, upTo);
        while (slot.isPresent()) {
            if (slot.get().isAfter(after)) {
                slots.add(slot.get());
            }
            if (slots.size() > most) {
                slots.remove();
            }
            slot = next(extended, slot.get(), upTo);
        }
        return List.copyOf(slots);
    }

    private Optional<Instant> next(OperableTrigger of, Instant after, Instant upTo) {
        Date next = of.getFireTimeAfter(Date.from(after));
        while (next != null && !next.toInstant().isAfter(upTo)) {
            if (calendar == null || calendar.isTimeIncluded(next.toInstant().toEpochMilli())) {
                return Optional.of(next.toInstant());
            }
            next = of.getFireTimeAfter(next);
        }
        return Optional.empty();
    }

    /** A trigger in memory is built anew at each start of its process, but was due in the process before as well. */
    private OperableTrigger extendedBackTo(Instant after) {
        Instant start = trigger.getStartTime().toInstant();
        if (startsLater || !start.isAfter(after)) {
            return trigger;
        }
        OperableTrigger extended = copy(trigger);
        if (trigger instanceof CronTrigger || trigger instanceof DailyTimeIntervalTrigger) {
            extended.setStartTime(Date.from(after));
        } else {
            return period().map(period -> movedTo(start, after, period)).orElse(extended);
        }
        return extended;
    }

    /** A trigger of that period of which that is a slot, and another one the first after some instant. */
    private OperableTrigger movedTo(Instant slot, Instant after, Duration period) {
        long periods = Duration.between(after, slot).toMillis() / period.toMillis();
        OperableTrigger moved = copy(trigger);
        moved.setStartTime(Date.from(slot.minus(period.multipliedBy(periods))));
        return moved;
    }

    /** The time between two slots of a simple trigger without an end to its repeats. */
    Optional<Duration> period() {
        return trigger instanceof SimpleTrigger simple
                        && simple.getRepeatCount() == SimpleTrigger.REPEAT_INDEFINITELY
                        && simple.getRepeatInterval() > 0
                ? Optional.of(Duration.ofMillis(simple.getRepeatInterval()))
                : Optional.empty();
    }

    /** The least time between two slots of a trigger whose slots depend on when it was built. */
    Optional<Duration> leastPeriod() {
        if (!(trigger instanceof CalendarIntervalTrigger interval)) {
            return period();
        }
        int count = interval.getRepeatInterval();
        return Optional.of(
                switch (interval.getRepeatIntervalUnit()) {
                    case MILLISECOND -> Duration.ofMillis(count);
                    case SECOND -> Duration.ofSeconds(count);
                    case MINUTE -> Duration.ofMinutes(count);
                    case HOUR -> Duration.ofHours(count);
                    case DAY -> days(count);
                    case WEEK -> days(7L * count);
                    case MONTH -> days(28L * count);
                    case YEAR -> days(365L * count);
                });
    }

    /** Clocks may be put forward in these days. */
    private static Duration days(long count) {
        return Duration.ofDays(count).minusHours(2);
    }

    /** Whether a trigger of the same key, as it is now, is to fire at the same times. */
    boolean isThatOf(Trigger other) {
        return haveSameTimes(trigger, other);
    }

    /** Whether two triggers of one key are to fire at the same times. */
    static boolean haveSameTimes(Trigger one, Trigger other) {
        return one.getStartTime().toInstant().equals(other.getStartTime().toInstant())
                && fingerprint(one).equals(fingerprint(other));
    }

    /** Whether both are simple triggers of one period: a misfire moves the start of such a one, and the number of its fires. */
    boolean isOfSamePeriodAs(Trigger other) {
        return trigger instanceof SimpleTrigger one
                && other instanceof SimpleTrigger another
                && one.getRepeatInterval() == another.getRepeatInterval();
    }

    /** A short text that differs between schedules, and is the same on all nodes. */
    String fingerprint() {
        return fingerprint(trigger);
    }

    private static String fingerprint(Trigger trigger) {
        String text = describe(trigger) + (trigger.getCalendarName() == null ? "" : " with a calendar");
        return hash(text).substring(0, FINGERPRINT_DIGITS);
    }

    static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    private static String describe(Trigger trigger) {
        if (trigger instanceof CronTrigger cron) {
            return "cron " + cron.getCronExpression() + " " + cron.getTimeZone().getID();
        } else if (trigger instanceof SimpleTrigger simple) {
            return "every " + simple.getRepeatInterval() + " ms, repeats " + simple.getRepeatCount();
        } else if (trigger instanceof CalendarIntervalTrigger interval) {
            return "every " + interval.getRepeatInterval() + " " + interval.getRepeatIntervalUnit() + " "
                    + interval.getTimeZone().getID();
        } else if (trigger instanceof DailyTimeIntervalTrigger daily) {
            return "daily " + daily.getStartTimeOfDay() + " " + daily.getEndTimeOfDay() + " " + daily.getDaysOfWeek()
                    + " " + daily.getRepeatInterval() + " " + daily.getRepeatIntervalUnit();
        }
        return trigger.getClass().getName();
    }
}
