/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one lease name on one node. Every method takes what happened and the instant it happened, changes the state and
 * returns what is to be done. No thread, clock, I/O or log; confined to the timer thread of its {@link LeaseClient}.
 */
final class LeaseMachine {

    private final LeaseName name;
    private final LeaseSettings settings;
    private final Pace pace;
    private final Candidacy candidacy;
    private final Supplier<String> newNonce;

    private LeaseState state = LeaseState.STOPPED;
    private boolean wanted;
    private @Nullable Validity validity;
    private long seq;
    private boolean renewing;
    private int failures;
    private long renewAtNanos;
    private long drainUntilNanos;
    private boolean givingAway;
    private @Nullable Lease undrained;
    private boolean ended;
    private long candidateFromNanos;
    private boolean resting;
    private @Nullable String unreadable;

    /**
     * @param newId a new random text of at most 64 characters at every call, for attempts and nonces
     * @param value the note for people that a claim stores, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes
     */
    LeaseMachine(
            LeaseName name, HolderId holder, LeaseSettings settings, Supplier<String> newId, Supplier<String> value) {
        this.name = name;
        this.settings = settings;
        this.pace = new Pace(settings);
        this.candidacy = new Candidacy(name, holder, settings, () -> new AttemptId(newId.get()), value);
        this.newNonce = newId;
    }

    // ---- what the user asks for

    /** Become a candidate. */
    List<Action> start(Moment now) {
        wanted = true;
        if (state == LeaseState.STOPPED) {
            become(LeaseState.WAITING);
            candidacy.lookAgain(now);
        }
        return List.of();
    }

    /** Stop being a candidate; a holder drains first. */
    List<Action> stop(Moment now) {
        List<Action> out = new ArrayList<>();
        wanted = false;
        if (state == LeaseState.WAITING) {
            candidacy.abandon(out);
            become(LeaseState.STOPPED);
        }
        drain(now, out);
        return out;
    }

    /** Let another node have it: drain, release, and be no candidate for one ttl. */
    List<Action> giveAway(Moment now) {
        List<Action> out = new ArrayList<>();
        givingAway = state.hasGrant();
        drain(now, out);
        return out;
    }

    private void drain(Moment now, List<Action> out) {
        if (state.hasGrant() && state != LeaseState.DRAINING) {
            become(LeaseState.DRAINING);
            drainUntilNanos = now.nanos() + settings.drainTimeout().toNanos();
            out.add(new Action.Tell(new LeaseEvent.Draining(granted())));
        }
    }

    /** The work under the last grant has ended, and none begins. Ignored unless asked to drain, or the grant is over. */
    List<Action> drained(Moment now) {
        List<Action> out = new ArrayList<>();
        Lease lease = undrained;
        if (lease == null || (state.hasGrant() && state != LeaseState.DRAINING)) {
            return out;
        }
        undrained = null;
        if (state == LeaseState.DRAINING) {
            end(now);
            out.add(new Action.SendRelease(lease));
            out.add(new Action.Tell(new LeaseEvent.Released(lease)));
        } else if (ended) {
            // the record may still be ours by the store's clock: free it early
            out.add(new Action.SendRelease(lease));
        }
        candidacy.lookAgain(now);
        return out;
    }

    /** The work in flight will not be waited for any longer: the lease is left to expire, not released. */
    List<Action> drainAbandoned(Moment now) {
        drainUntilNanos = now.nanos();
        return List.of();
    }

    // ---- looking and claiming

    boolean lookDue(long untilNanos) {
        return state == LeaseState.WAITING && candidacy.lookDue(untilNanos);
    }

    void lookSent() {
        candidacy.lookSent();
    }

    List<Action> lookFailed(LeaseStoreException.Problem problem, Moment now) {
        candidacy.lookFailed(problem, now);
        return List.of();
    }

    /**
     * The record cannot be read.
     *
     * @param why where it is and what is wrong
     */
    List<Action> unreadable(String why, Moment now) {
        candidacy.lookFailed(LeaseStoreException.Problem.UNREADABLE, now);
        if (why.equals(unreadable)) {
            return List.of();
        }
        unreadable = why;
        return List.of(new Action.Tell(new LeaseEvent.RecordUnreadable(name, why)));
    }

    /**
     * The record is here.
     *
     * @param clockMovedAt when the store's clock was last seen to have moved, or null
     */
    List<Action> looked(LeaseRecord record, @Nullable Moment clockMovedAt, Moment now) {
        List<Action> out = new ArrayList<>();
        unreadable = null;
        candidacy.looked(record, clockMovedAt, mayClaim(now), now, out);
        return out;
    }

    private boolean mayClaim(Moment now) {
        boolean rested = !resting || candidateFromNanos - now.nanos() <= 0;
        return state == LeaseState.WAITING && undrained == null && rested;
    }

    List<Action> claimReplied(Claim claim, Moment sentAt, ClaimResult result, Moment now) {
        List<Action> out = new ArrayList<>();
        if (!candidacy.isCurrent(claim)) {
            if (result instanceof ClaimResult.Granted granted) {
                out.add(new Action.SendRelease(granted.lease()));
            }
        } else if (result instanceof ClaimResult.Granted granted) {
            grant(granted.lease(), candidacy.granted(granted.lease(), sentAt), now, out);
        } else {
            candidacy.refused(now);
            if (result instanceof ClaimResult.HeldByOther held && held.record().isHeld()) {
                candidacy.looked(held.record(), null, false, now, out);
            }
        }
        return out;
    }

    private void grant(Lease lease, Moment sentAt, Moment now, List<Action> out) {
        Validity granted = new Validity(lease, sentAt, settings.usableNanos(), settings.validNanos(), null);
        if (granted.at(now) == Validity.Verdict.CLOSED) {
            out.add(new Action.SendRelease(lease));
            candidacy.refused(now);
            return;
        }
        become(LeaseState.HELD);
        validity = granted;
        undrained = lease;
        ended = false;
        resting = false;
        seq = 0;
        renewing = false;
        failures = 0;
        renewAtNanos = sentAt.nanos() + pace.nextRenewal(sentAt);
        out.add(new Action.Tell(new LeaseEvent.Granted(lease)));
        watchClocks(now, out);
    }

    List<Action> claimFailed(Claim claim, Moment sentAt, LeaseStoreException.Problem problem, Moment now) {
        if (candidacy.isCurrent(claim)) {
            if (problem == LeaseStoreException.Problem.UNAVAILABLE) {
                candidacy.claimFailed(sentAt, now);
            } else {
                candidacy.refused(now);
                candidacy.lookFailed(problem, now);
            }
        }
        return List.of();
    }

    // ---- renewing

    boolean renewalDue(long untilNanos) {
        return state.hasGrant() && !renewing && !isDrainOver(untilNanos) && renewAtNanos - untilNanos <= 0;
    }

    private boolean isDrainOver(long nowNanos) {
        return state == LeaseState.DRAINING && drainUntilNanos - nowNanos <= 0;
    }

    Renewal nextRenewal() {
        renewing = true;
        seq++;
        return new Renewal(granted(), seq, newNonce.get());
    }

    private boolean isNewest(Renewal renewal) {
        return validity != null && validity.lease().equals(renewal.lease()) && renewal.seq() == seq;
    }

    List<Action> renewReplied(Renewal renewal, Moment sentAt, RenewResult result, Moment now) {
        List<Action> out = new ArrayList<>();
        // first, so that a success that comes after E does not revive the grant
        watchClocks(now, out);
        if (!isNewest(renewal)) {
            return out;
        }
        renewing = false;
        switch (result) {
            case RENEWED -> renewed(sentAt, now, out);
            case LOST -> lose(LossReason.REFUSED, now, out);
            case STALE -> renewAtNanos = now.nanos() + pace.retry(1);
        }
        return out;
    }

    private void renewed(Moment sentAt, Moment now, List<Action> out) {
        Validity extended = current().renewed(sentAt);
        validity = extended;
        failures = 0;
        renewAtNanos = sentAt.nanos() + pace.nextRenewal(sentAt);
        Validity.Verdict verdict = extended.at(now);
        if (verdict == Validity.Verdict.OPEN && state == LeaseState.SUSPENDED) {
            become(LeaseState.HELD);
            out.add(new Action.Tell(new LeaseEvent.Resumed(granted())));
        } else if (verdict == Validity.Verdict.OPEN && state == LeaseState.AT_RISK) {
            become(LeaseState.HELD);
            out.add(new Action.Tell(new LeaseEvent.Secured(granted())));
        } else if (verdict != Validity.Verdict.OPEN) {
            renewAtNanos = now.nanos();
        }
        watchClocks(now, out);
    }

    List<Action> renewFailed(Renewal renewal, Moment now) {
        List<Action> out = new ArrayList<>();
        if (isNewest(renewal)) {
            renewing = false;
            failures++;
            renewAtNanos = now.nanos() + pace.retry(failures);
            atRisk(now, out);
            watchClocks(now, out);
        }
        return out;
    }

    private void atRisk(Moment now, List<Action> out) {
        if (state == LeaseState.HELD) {
            become(LeaseState.AT_RISK);
            out.add(new Action.Tell(new LeaseEvent.AtRisk(granted(), current().untilSuspension(now))));
        }
    }

    // ---- time

    /** Time has passed. */
    List<Action> tick(Moment now) {
        List<Action> out = new ArrayList<>();
        watchClocks(now, out);
        if (state == LeaseState.WAITING) {
            candidacy.retry(now, out);
        }
        return out;
    }

    /** A clock seems to have jumped: renew at once, and begin nothing before that has succeeded. */
    List<Action> suspect(Moment now) {
        List<Action> out = new ArrayList<>();
        if (validity != null && now.nanosSince(validity.sentAt()) >= 0) {
            validity = validity.suspected(now);
            renewAtNanos = now.nanos();
            atRisk(now, out);
        }
        return out;
    }

    private void watchClocks(Moment now, List<Action> out) {
        Validity current = validity;
        if (current == null) {
            return;
        }
        if (current.isOver(now)) {
            lose(LossReason.EXPIRED, now, out);
            return;
        }
        Validity.Verdict verdict = current.at(now);
        if (verdict == Validity.Verdict.CLOSED) {
            suspend(out);
        } else if (verdict == Validity.Verdict.SUSPECT && !current.isUnderSuspicion(current.suspectedAt())) {
            out.addAll(suspect(now));
        }
    }

    private void suspend(List<Action> out) {
        if (state == LeaseState.HELD || state == LeaseState.AT_RISK) {
            become(LeaseState.SUSPENDED);
            out.add(new Action.Tell(new LeaseEvent.Suspended(granted())));
        }
    }

    private void lose(LossReason reason, Moment now, List<Action> out) {
        Lease lease = granted();
        ended = reason == LossReason.EXPIRED;
        end(now);
        candidacy.lookAgain(now);
        out.add(new Action.Tell(new LeaseEvent.Lost(lease, reason)));
    }

    private void end(Moment now) {
        validity = null;
        renewing = false;
        become(wanted ? LeaseState.WAITING : LeaseState.STOPPED);
        if (givingAway) {
            givingAway = false;
            resting = true;
            candidateFromNanos = now.nanos() + settings.ttl().toNanos();
        }
    }

    /** When {@link #tick} or a renewal or look is next due; empty if nothing is. */
    Optional<Long> wakeAt() {
        Validity current = validity;
        if (current == null) {
            return state == LeaseState.WAITING ? candidacy.wakeAt() : Optional.empty();
        }
        long sent = current.sentAt().nanos();
        boolean untilUsable = state == LeaseState.HELD || state == LeaseState.AT_RISK;
        long wake = sent + (untilUsable ? current.usableNanos() : current.validNanos());
        if (!renewing && !isDrainOver(renewAtNanos) && renewAtNanos - wake < 0) {
            wake = renewAtNanos;
        }
        return Optional.of(wake);
    }

    // ---- state

    private void become(LeaseState next) {
        state = next;
    }

    private Validity current() {
        Validity current = validity;
        if (current == null) {
            throw new IllegalStateException("no grant in state " + state);
        }
        return current;
    }

    private Lease granted() {
        return current().lease();
    }

    LeaseState state() {
        return state;
    }

    @Nullable
    Validity validity() {
        return validity;
    }
}
