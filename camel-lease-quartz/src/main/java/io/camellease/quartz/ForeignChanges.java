/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other nodes make of triggers in a job store that they share. For the timer thread, which asks the store. */
final class ForeignChanges {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignChanges.class);

    /** How long another node may have had a trigger in a shared job store before this node sees it. */
    static final Duration UNSEEN = Duration.ofSeconds(3);

    private final Map<TriggerKey, SingletonTrigger> triggers;
    private final SchedulerAccess scheduler;
    private final Ticker ticker;
    private final BiConsumer<Trigger, Instant> learning;

    /**
     * Changes of some triggers.
     *
     * @param triggers those that are known
     * @param learning what to do with one that is new, or has other times than before, and since when it has
     */
    ForeignChanges(
            Map<TriggerKey, SingletonTrigger> triggers,
            SchedulerAccess scheduler,
            Ticker ticker,
            BiConsumer<Trigger, Instant> learning) {
        this.triggers = triggers;
        this.scheduler = scheduler;
        this.ticker = ticker;
        this.learning = learning;
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }

    /** Takes over what there is now: other nodes may have added, changed and removed some. */
    void adopt(SharedJobStore.Listing present) {
        present.triggers().forEach(this::adopt);
        Set<TriggerKey> keys = present.triggers().stream().map(Trigger::getKey).collect(Collectors.toSet());
        triggers.values().stream()
                .filter(known -> !keys.contains(known.trigger().getKey()))
                .filter(known -> !present.unreadable().contains(known.job().getKey()))
                .forEach(this::removed);
    }

    /** As {@link #adopt(SharedJobStore.Listing)}, of one trigger; if it cannot be read, it is taken as it was. */
    void adopt(SingletonTrigger known) {
        TriggerKey key = known.trigger().getKey();
        try {
            Trigger present = scheduler.scheduler().getTrigger(key);
            if (present == null) {
                removed(known);
            } else {
                adopt(present);
            }
        } catch (SchedulerException failed) {
            LOG.warn("Trigger {}: what other nodes made of it is not known yet", key, failed);
        }
    }

    /** One that has fired for the last time is gone as well, and what it owes is still caught up with. */
    private void removed(SingletonTrigger known) {
        if (known.schedule().goesOnAfter(now())) {
            known.remove();
        }
    }

    private void adopt(Trigger present) {
        SingletonTrigger known = triggers.get(present.getKey());
        if (known != null && known.isRemoved() && scheduler.standing(known, now()) == Standing.OVER) {
            return;
        }
        if (known == null || known.isRemoved() || !known.schedule().isThatOf(present)) {
            learnIfPossible(present);
        } else if (isOtherwiseChanged(known.trigger(), present)) {
            redefine(known, present);
        }
    }

    /** Apart from when it starts and by which times it goes. */
    private static boolean isOtherwiseChanged(Trigger known, Trigger present) {
        return !end(known).equals(end(present))
                || !Objects.equals(known.getCalendarName(), present.getCalendarName())
                || !known.getJobKey().equals(present.getJobKey())
                || known.getPriority() != present.getPriority()
                || !known.getJobDataMap().equals(present.getJobDataMap());
    }

    private static Optional<Instant> end(Trigger trigger) {
        return Optional.ofNullable(trigger.getEndTime()).map(Date::toInstant);
    }

    /** It goes on owing what it owes. */
    private void redefine(SingletonTrigger known, Trigger present) {
        try {
            known.redefine(present, scheduler.job(present), scheduler.schedule(present, now()));
        } catch (RuntimeException failed) {
            tellUnread(present, failed);
        }
    }

    private static void tellUnread(Trigger trigger, Exception failed) {
        LOG.warn("Trigger {}: what another node made of it cannot be read; trying again", trigger.getKey(), failed);
    }

    private void learnIfPossible(Trigger trigger) {
        Instant now = now();
        // it may have fired since, and what was vetoed then is owed
        Instant since = CatchUp.later(trigger.getStartTime().toInstant().minusMillis(1), now.minus(UNSEEN));
        try {
            // the store takes no time that lies ahead
            learning.accept(trigger, since.isBefore(now) ? since : now);
        } catch (RuntimeException failed) {
            tellUnread(trigger, failed);
        }
    }
}
