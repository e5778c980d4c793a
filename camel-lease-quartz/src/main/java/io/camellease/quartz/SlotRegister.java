/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.AdvanceResult;
import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Pass;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is stored about slots with one lease, and what is made of the store's answers. Thread-safe. */
final class SlotRegister {

    private static final Logger LOG = LoggerFactory.getLogger(SlotRegister.class);
    private static final int RESERVATION_TIMEOUTS = 4;
    private static final int MAX_REFUSALS = 3;

    /** What came of a reservation. */
    enum Answer {
        RESERVED,
        REFUSED,
        UNKNOWN
    }

    private final LeaseElector elector;
    private final LeaseSettings settings;
    private final SlotOptions options;
    private final AtomicInteger refusals = new AtomicInteger();
    private final Set<SlotKeys> unknown = ConcurrentHashMap.newKeySet();

    SlotRegister(LeaseElector elector, LeaseSettings settings, SlotOptions options) {
        this.elector = elector;
        this.settings = settings;
        this.options = options;
    }

    /** How long a reservation takes at most, in nanoseconds. */
    long longestReservation() {
        return settings.storeTimeout().toNanos() * RESERVATION_TIMEOUTS;
    }

    /** Reserves a slot, so that no other grant can; blocks for four store timeouts at most. */
    Answer reserve(Lease lease, SingletonTrigger trigger, Instant slot, Instant now) {
        SlotKeys keys = trigger.keys();
        try {
            AdvanceResult result = noteGap(lease, trigger, slot)
                    .thenCombine(elector.advance(lease, keys.reserved(), slot), (noted, reserved) -> reserved)
                    .toCompletableFuture()
                    .get(longestReservation(), TimeUnit.NANOSECONDS);
            if (result == AdvanceResult.REFUSED) {
                refused(lease, keys, slot, now);
                return Answer.REFUSED;
            }
            refusals.set(0);
            unknown.remove(keys);
            return Answer.RESERVED;
        } catch (ExecutionException | TimeoutException failed) {
            tellUnknown(keys, slot, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Answer.UNKNOWN;
    }

    /** Once per trigger while the store does not answer: the same slot is tried again and again. */
    private void tellUnknown(SlotKeys keys, Instant slot, Exception failed) {
        if (unknown.add(keys)) {
            LOG.warn(
                    "Lease '{}': whether slot {} of {} is reserved is unknown, so it does not run now; it is tried again"
                            + " while this node holds the lease ({})",
                    elector.name(),
                    slot,
                    keys.reserved(),
                    failed.getMessage() == null ? "no answer in time" : failed.getMessage());
        } else {
            LOG.debug("Lease '{}': slot {} of {} is still unknown", elector.name(), slot, keys.reserved(), failed);
        }
    }

    private void refused(Lease lease, SlotKeys keys, Instant slot, Instant now) {
        if (elector.check().map(Pass::lease).filter(lease::equals).isEmpty()) {
            LOG.debug("Slot {} of {} is refused: the lease is over", slot, keys);
            return;
        }
        LOG.warn(
                "Lease '{}': the store refuses slot {} of {}, so it does not run. The clock of this node ({}) is"
                        + " ahead of the store's by more than 5 s, or the slot or the lease was taken by another node",
                elector.name(),
                slot,
                keys.reserved(),
                now);
        giveAwayIfTooMany();
    }

    private void giveAwayIfTooMany() {
        if (refusals.incrementAndGet() >= MAX_REFUSALS) {
            refusals.set(0);
            LOG.warn("Lease '{}' is given away, so that a node with a better clock can run its jobs", elector.name());
            elector.giveAway();
        }
    }

    /** A live slot was over before it came: that is as good as refused if it is so since this node's clock is behind. */
    void foundOver(Lease lease, SingletonTrigger trigger, Instant slot, Instant now) {
        trigger.reservedAhead(lease, now).ifPresent(reserved -> {
            LOG.warn(
                    "Lease '{}': slot {} of {} does not run, as slot {} was taken before. The clock of this node ({}) is"
                            + " behind by some {} s: nothing runs here until it is past that",
                    elector.name(),
                    slot,
                    trigger.keys().reserved(),
                    reserved,
                    now,
                    Duration.between(now, reserved).toSeconds());
            giveAwayIfTooMany();
        });
    }

    private CompletionStage<?> noteGap(Lease lease, SingletonTrigger trigger, Instant slot) {
        String key = trigger.keys().done();
        Optional<Instant> mark = tracksEnds(lease, key) ? trigger.markBefore(lease, slot) : Optional.empty();
        return mark.<CompletionStage<?>>map(upTo -> store(lease, key, upTo))
                .orElseGet(() -> CompletableFuture.completedFuture(slot));
    }

    /** Whether it is of use to anybody to know which runs have ended. */
    private boolean tracksEnds(Lease lease, String key) {
        return options.recoverInFlight() || elector.slots(lease).containsKey(key);
    }

    /** Stores that time, in order with what else is stored. */
    CompletionStage<AdvanceResult> store(Lease lease, String key, Instant time) {
        return elector.advance(lease, key, time);
    }

    /** Stores that a run has ended, if that is of use to anybody; completes when there is nothing more to do about it. */
    CompletionStage<?> ended(Lease lease, SingletonTrigger trigger, Instant slot) {
        String key = trigger.keys().done();
        Optional<Instant> done = tracksEnds(lease, key) ? trigger.done(lease) : Optional.empty();
        if (done.isEmpty()) {
            return CompletableFuture.completedFuture(slot);
        }
        return store(lease, key, done.get()).whenComplete((result, failed) -> {
            if (failed != null) {
                LOG.warn(
                        "Lease '{}': it is unknown whether the end of slot {} is stored; the next holder may run it again",
                        elector.name(),
                        slot,
                        failed);
            }
        });
    }
}
