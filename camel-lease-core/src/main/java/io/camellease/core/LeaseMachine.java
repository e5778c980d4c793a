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
 * Decides for one lease name on one node: {@link #take} is told what happened and when, changes the state and returns what is
 * to be done. No thread, clock, I/O or log; confined to the timer thread of its {@link LeaseClient}.
 *
 * <p>The only place where a {@link LeaseState} changes: {@link Candidacy} works in {@code WAITING}, {@link Holding} in the
 * states that have a grant, and neither knows the state.
 */
final class LeaseMachine {

    /** Something that happened: one of the methods below. */
    @FunctionalInterface
    interface Input {
        void applyTo(LeaseMachine machine, Moment now);
    }

    private final LeaseName name;
    private final LeaseSettings settings;
    private final Supplier<String> newId;
    private final Candidacy candidacy;
    private final List<Action> actions = new ArrayList<>();

    private LeaseState state = LeaseState.STOPPED;
    private boolean wanted;
    private boolean givingAway;
    private @Nullable Holding holding;
    private boolean mayBeOursStill;

    /**
     * @param newId a new random text of at most 64 characters at every call, for attempts and nonces
     * @param value the note for people that a claim stores, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes
     */
    LeaseMachine(
            LeaseName name, HolderId holder, LeaseSettings settings, Supplier<String> newId, Supplier<String> value) {
        this.name = name;
        this.settings = settings;
        this.newId = newId;
        Candidacy.NewClaim newClaim = (record, observed) -> new Claim(
                name,
                holder,
                new AttemptId(newId.get()),
                record.token(),
                record.seq(),
                observed,
                settings.ttl(),
                value.get());
        this.candidacy = new Candidacy(name, holder, settings, Beat.steady(holder, settings), newClaim, actions::add);
    }

    /**
     * Takes one input and returns what is to be done. What time alone decides comes before it, so that a renewal that succeeds
     * after E, for one, does not revive the grant.
     */
    List<Action> take(Input input, Moment now) {
        passTime(now);
        input.applyTo(this, now);
        List<Action> decided = List.copyOf(actions);
        actions.clear();
        return decided;
    }

    // ---- what the user asks for

    /** Become a candidate. */
    void start(Moment now) {
        wanted = true;
        if (state == LeaseState.STOPPED) {
            become(LeaseState.WAITING);
            candidacy.open(now);
        }
    }

    /** Stop being a candidate; a holder drains first. */
    void stop(Moment now) {
        wanted = false;
        if (state == LeaseState.WAITING) {
            candidacy.close();
            become(LeaseState.STOPPED);
        }
        drain(now);
    }

    /** Let another node have it: drain, release, and be no candidate for one ttl. */
    void giveAway(Moment now) {
        givingAway = state.hasGrant();
        drain(now);
    }

    private void drain(Moment now) {
        if (holding != null && state != LeaseState.DRAINING) {
            holding.drain(now);
            become(LeaseState.DRAINING);
            tell(new LeaseEvent.Draining(holding.lease()));
        }
    }

    /** The work under the last grant has ended, and none begins. Ignored unless asked to drain, or the grant is over. */
    void drained(Moment now) {
        Lease undrained = candidacy.undrained();
        if (undrained != null) {
            drained(undrained, now);
        }
    }

    /** The work under this grant has ended. Ignored if it is not the last grant, so that no successor is released. */
    void drained(Lease lease, Moment now) {
        if (!lease.equals(candidacy.undrained()) || (holding != null && state != LeaseState.DRAINING)) {
            return;
        }
        candidacy.drained(now);
        if (holding != null) {
            end(now);
            actions.add(new Action.SendRelease(lease, true));
            tell(new LeaseEvent.Released(lease));
        } else if (mayBeOursStill) {
            // by the store's clock it may have some time left, which another node need not wait for
            actions.add(new Action.SendRelease(lease, false));
        }
    }

    /** The work in flight will not be waited for any longer: the lease is left to expire, not released. */
    void drainAbandoned(Moment now) {
        if (holding != null) {
            holding.leaveToExpire();
        }
    }

    /** Nobody listens any more: nothing may begin, nothing is renewed or claimed. A grant is left to expire. */
    void forget(Moment now) {
        wanted = false;
        holding = null;
        candidacy.close();
        become(LeaseState.STOPPED);
    }

    // ---- claiming

    void claimReplied(Claim claim, Moment sentAt, ClaimResult result, Moment now) {
        if (!candidacy.isCurrent(claim)) {
            if (result instanceof ClaimResult.Granted granted) {
                actions.add(new Action.SendRelease(granted.lease(), true));
            }
        } else if (result instanceof ClaimResult.Granted granted) {
            granted(granted.lease(), candidacy.countsFrom(sentAt), now);
        } else {
            candidacy.refused(result, now);
        }
    }

    private void granted(Lease lease, Moment countsFrom, Moment now) {
        Holding granted = new Holding(settings, newId, lease, countsFrom);
        if (granted.verdict(now) == Validity.Verdict.CLOSED) {
            candidacy.grantedTooLate(lease, now);
        } else {
            candidacy.granted(lease);
            holding = granted;
            become(LeaseState.HELD);
            tell(new LeaseEvent.Granted(lease));
            passTime(now);
        }
    }

    // ---- renewing

    /**
     * Whether a renewal is due.
     *
     * @param aheadNanos how much earlier than it must it may be sent
     */
    boolean renewalDue(long nowNanos, long aheadNanos) {
        return holding != null && holding.renewalDue(nowNanos, aheadNanos);
    }

    Renewal nextRenewal() {
        return held().nextRenewal();
    }

    void renewReplied(Renewal renewal, Moment sentAt, RenewResult result, Moment now) {
        if (holding != null && holding.isNewest(renewal)) {
            switch (result) {
                case RENEWED -> renewed(holding, sentAt, now);
                case LOST -> lose(LossReason.REFUSED, now);
                case STALE -> holding.renewIgnored(now);
            }
        }
    }

    private void renewed(Holding held, Moment sentAt, Moment now) {
        held.renewed(sentAt, now);
        if (held.verdict(now) == Validity.Verdict.OPEN) {
            if (state == LeaseState.AT_RISK) {
                become(LeaseState.HELD);
                tell(new LeaseEvent.Secured(held.lease()));
            } else if (state == LeaseState.SUSPENDED) {
                become(LeaseState.HELD);
                tell(new LeaseEvent.Resumed(held.lease()));
            }
        }
        passTime(now);
    }

    void renewFailed(Renewal renewal, Moment sentAt, Moment now) {
        if (holding != null && holding.isNewest(renewal)) {
            holding.renewFailed(sentAt, now);
            atRisk(holding, now);
        }
    }

    private void atRisk(Holding held, Moment now) {
        if (state == LeaseState.HELD) {
            become(LeaseState.AT_RISK);
            tell(new LeaseEvent.AtRisk(held.lease(), held.validity().untilSuspension(now)));
        }
    }

    // ---- time

    /** Time has passed: nothing else happened. */
    void tick(Moment now) {
        if (state == LeaseState.WAITING) {
            candidacy.retry(now);
        }
    }

    /** A clock seems to have jumped: renew at once, and begin nothing before that has succeeded. */
    void suspect(Moment now) {
        if (holding != null && holding.validity().isUnderSuspicionSince(now)) {
            holding.suspect(now);
            atRisk(holding, now);
        }
    }

    private void passTime(Moment now) {
        Holding held = holding;
        if (held == null) {
            return;
        }
        held.passTime(now);
        if (held.isOver(now)) {
            lose(LossReason.EXPIRED, now);
        } else if (held.verdict(now) == Validity.Verdict.CLOSED) {
            suspend(held);
        } else if (held.isNewlySuspect(now)) {
            held.suspect(now);
            atRisk(held, now);
        }
    }

    private void suspend(Holding held) {
        if (state == LeaseState.HELD || state == LeaseState.AT_RISK) {
            become(LeaseState.SUSPENDED);
            tell(new LeaseEvent.Suspended(held.lease()));
        }
    }

    private void lose(LossReason reason, Moment now) {
        Lease lease = held().lease();
        mayBeOursStill = reason == LossReason.EXPIRED;
        end(now);
        tell(new LeaseEvent.Lost(lease, reason));
    }

    private void end(Moment now) {
        holding = null;
        if (givingAway) {
            givingAway = false;
            candidacy.rest(now.plusNanos(settings.ttl().toNanos()));
        }
        if (wanted) {
            become(LeaseState.WAITING);
            candidacy.open(now);
        } else {
            become(LeaseState.STOPPED);
        }
    }

    /** When {@link #tick}, a renewal or a look is next due; empty if nothing is. */
    Optional<Long> wakeAt() {
        if (holding != null) {
            return Optional.of(holding.wakeAt(state == LeaseState.HELD || state == LeaseState.AT_RISK));
        }
        return candidacy.wakeAt();
    }

    // ---- state

    private void become(LeaseState next) {
        state = next;
    }

    private void tell(LeaseEvent event) {
        actions.add(new Action.Tell(event));
    }

    private Holding held() {
        if (holding == null) {
            throw new IllegalStateException("lease '" + name + "' has no grant in state " + state);
        }
        return holding;
    }

    LeaseState state() {
        return state;
    }

    Candidacy candidacy() {
        return candidacy;
    }

    /** How long the grant may be relied on, or null if there is none. */
    @Nullable
    Validity validity() {
        return holding == null ? null : holding.validity();
    }
}
