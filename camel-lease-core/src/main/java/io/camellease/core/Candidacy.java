/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The waiting half of a {@link LeaseMachine}: looks at the record, decides when to claim, and follows one acquisition until
 * its outcome is known. Pure; confined to the timer thread.
 */
final class Candidacy {

    /** Makes the claim on a record, with a new attempt. */
    @FunctionalInterface
    interface NewClaim {
        /**
         * The claim.
         *
         * @param observed see {@link Claim#observed()}
         */
        Claim on(LeaseRecord record, boolean observed);
    }

    private final LeaseName name;
    private final HolderId holder;
    private final LeaseSettings settings;
    private final NewClaim newClaim;
    private final Consumer<Action> out;
    private final Pace pace;
    private final Beat beat;
    private final RecordWatch watch;
    private final Vacancy vacancy = new Vacancy();

    private boolean open;
    private long lookAtNanos;
    private boolean looking;
    private int refusals;
    private @Nullable String unreadable;
    private @Nullable LeaseRecord vacant;
    private @Nullable Acquisition acquisition;
    private @Nullable AttemptId abandoned;
    private @Nullable Lease undrained;
    private @Nullable Moment restsUntil;

    /**
     * A candidacy that is not open.
     *
     * @param beat when it looks at the record while the lease is held
     */
    Candidacy(
            LeaseName name,
            HolderId holder,
            LeaseSettings settings,
            Beat beat,
            NewClaim newClaim,
            Consumer<Action> out) {
        this.name = name;
        this.holder = holder;
        this.settings = settings;
        this.newClaim = newClaim;
        this.out = out;
        this.pace = new Pace(settings);
        this.beat = beat;
        this.watch = new RecordWatch(holder, settings, this::tell);
    }

    private void tell(LeaseEvent event) {
        out.accept(new Action.Tell(event));
    }

    /** Begins, with a look at once. */
    void open(Moment now) {
        open = true;
        lookAtNanos = now.nanos();
    }

    /** Ends; an acquisition whose outcome is not known yet is given up. */
    void close() {
        open = false;
        vacant = null;
        vacancy.forget();
        abandon();
    }

    /** No claim before the given instant. */
    void rest(Moment until) {
        restsUntil = until;
    }

    /** The grant whose work has not ended yet, or null. */
    @Nullable
    Lease undrained() {
        return undrained;
    }

    /** The work under the last grant has ended. */
    void drained(Moment now) {
        undrained = null;
        lookAtNanos = now.nanos();
    }

    // ---- looking

    /** Whether a look is due by the given instant; none is while an acquisition or another look is under way. */
    boolean lookDue(long untilNanos) {
        return open && !looking && acquisition == null && lookAtNanos - untilNanos <= 0;
    }

    void lookSent() {
        looking = true;
    }

    void lookFailed(LeaseStoreException.Problem problem, Moment now) {
        looking = false;
        vacant = null;
        vacancy.lostSight();
        boolean mayPass = problem == LeaseStoreException.Problem.UNAVAILABLE;
        refusals = mayPass ? 0 : refusals + 1;
        lookAtNanos = now.nanos() + (mayPass ? beat.next(now) : pace.refused(refusals));
    }

    /**
     * The record cannot be read.
     *
     * @param why where it is and what is wrong
     */
    void unreadable(String why, Moment now) {
        lookFailed(LeaseStoreException.Problem.UNREADABLE, now);
        if (open && !why.equals(unreadable)) {
            unreadable = why;
            tell(new LeaseEvent.RecordUnreadable(name, why));
        }
    }

    /** The record is here, and the store's clock as far as this process knows it: claim it, or look again later. */
    void looked(LeaseRecord record, StoreClock clock, Moment now) {
        noted(record, clock, now);
        take(now);
    }

    /** The same, but if the lease is vacant, wait for {@link #turn}. */
    void noted(LeaseRecord record, StoreClock clock, Moment now) {
        looking = false;
        vacant = null;
        if (!open) {
            return;
        }
        unreadable = null;
        refusals = record.isHeld() ? 0 : refusals;
        saw(record, now);
        boolean free = mayTake(record, clock, now);
        vacancy.saw(record, free && record.isHeld(), now);
        vacant = free && mayClaim(now) ? record : null;
    }

    private void saw(LeaseRecord record, Moment now) {
        watch.saw(record, now);
        long next = beat.next(now);
        boolean endsSooner = record.isHeld() && record.remaining().compareTo(settings.claimInterval()) < 0;
        lookAtNanos =
                now.nanos() + (endsSooner ? Math.min(next, record.remaining().toNanos()) : next);
    }

    /** Whether the lease may be claimed. */
    boolean isVacant() {
        return vacant != null;
    }

    /** Since when it is vacant, and what is known of that. */
    Vacancy vacancy() {
        return vacancy;
    }

    /** When this node may claim the lease if it is vacant: at once, or after another look. */
    void turn(Moment due, Moment now) {
        if (due.nanosSince(now) <= 0) {
            take(now);
        } else {
            lookAtNanos = due.nanos();
        }
    }

    private void take(Moment now) {
        LeaseRecord record = vacant;
        vacant = null;
        if (record != null) {
            acquisition = new Acquisition(newClaim.on(record, watch.stoodStill(record, now)), settings);
            out.accept(new Action.SendClaim(acquisition.claim()));
        }
    }

    private boolean mayClaim(Moment now) {
        boolean rested = restsUntil == null || now.nanosSince(restsUntil) >= 0;
        return rested && undrained == null && acquisition == null;
    }

    private boolean mayTake(LeaseRecord record, StoreClock clock, Moment now) {
        if (watch.wentBack(record, now)) {
            return false;
        }
        return record.isHeld()
                ? isMyAbandoned(record) || watch.isStuck(record, clock, now)
                : watch.isFree(record, clock, now);
    }

    private boolean isMyAbandoned(LeaseRecord record) {
        return abandoned != null
                && record.isGrantOf(holder)
                && record.attempt().filter(abandoned::equals).isPresent();
    }

    // ---- claiming

    boolean isCurrent(Claim claim) {
        return acquisition != null && acquisition.claim().equals(claim);
    }

    /** From when on a grant counts that answers the current claim as it was sent at the given instant. */
    Moment countsFrom(Moment sentAt) {
        return acquisition == null ? sentAt : acquisition.countsFrom(sentAt);
    }

    /** The current claim was granted: no other one before {@link #drained}. */
    void granted(Lease lease) {
        open = false;
        acquisition = null;
        abandoned = null;
        refusals = 0;
        restsUntil = null;
        undrained = lease;
        watch.granted(lease.token());
        vacancy.forget();
    }

    /** The current claim was granted, but so late that the grant is given back unused. */
    void grantedTooLate(Lease lease, Moment now) {
        acquisition = null;
        abandoned = lease.attempt();
        watch.granted(lease.token());
        vacancy.forget();
        out.accept(new Action.SendRelease(lease, true));
        lookSoon(now);
    }

    /** The current claim was refused: nothing of it remains in the store. */
    void refused(ClaimResult result, Moment now) {
        acquisition = null;
        if (result instanceof ClaimResult.HeldByOther held && held.record().isHeld()) {
            saw(held.record(), now);
            vacancy.saw(held.record(), false, now);
        } else {
            lookSoon(now);
        }
    }

    private void lookSoon(Moment now) {
        lookAtNanos = now.nanos() + pace.retry(1);
    }

    /** The outcome of a claim that was sent at the given instant is unknown. */
    void claimFailed(Claim claim, Moment sentAt, LeaseStoreException.Problem problem, Moment now) {
        if (acquisition == null || !isCurrent(claim)) {
            if (claim.attempt().equals(abandoned)) {
                out.accept(new Action.SendAbandon(holder, claim.attempt()));
            }
            return;
        }
        acquisition.failed(sentAt, now);
        if (problem != LeaseStoreException.Problem.UNAVAILABLE) {
            // an earlier send may have been granted, and this one will not get through before somebody mends it
            abandon();
            lookFailed(problem, now);
        }
    }

    /** Sends a claim again whose outcome is unknown, or gives it up once a grant of its first send would be past U. */
    void retry(Moment now) {
        Acquisition current = acquisition;
        if (current != null && current.isTooLate(now)) {
            abandon();
            lookAtNanos = now.nanos();
        } else if (current != null && current.isRetryDue(now)) {
            current.sentAgain();
            out.accept(new Action.SendClaim(current.claim()));
        }
    }

    /** Gives up an acquisition, if there is one, that may have been granted or may still be. */
    private void abandon() {
        Acquisition current = acquisition;
        if (current != null) {
            abandoned = current.claim().attempt();
            acquisition = null;
            if (!current.isFirstSendInFlight()) {
                out.accept(new Action.SendAbandon(holder, abandoned));
            }
        }
    }

    /** The attempt whose outcome this node waits for, or null. */
    @Nullable
    AttemptId attempt() {
        return acquisition == null ? null : acquisition.claim().attempt();
    }

    /** When something is next to be done, or empty while an answer is awaited. */
    Optional<Long> wakeAt() {
        if (!open) {
            return Optional.empty();
        }
        if (acquisition != null) {
            return acquisition.isInFlight() ? Optional.empty() : Optional.of(acquisition.retryAtNanos());
        }
        return looking ? Optional.empty() : Optional.of(lookAtNanos);
    }
}
