/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who wants one lock in this process, first come first served. Only the first of them contends with other processes, by a
 * {@link Candidacy}, and none does while this process has the lock. Confined to the timer thread; does no I/O.
 */
final class LockQueue {

    private final LeaseName name;
    private final LeaseSettings settings;
    private final Ticker ticker;
    private final Candidacy candidacy;
    private final Consumer<Action> out;
    private final Consumer<LeaseLock> holds;
    private final Deque<LockWaiter> waiters = new ArrayDeque<>();

    private boolean contending;
    private boolean releasing;
    private @Nullable LeaseLock held;
    private @Nullable LeaseRecord seen;

    /**
     * A queue without waiters.
     *
     * @param newId a new random text of at most 64 characters at every call
     * @param out carries out what is decided
     * @param holds is told of a grant before the caller that it is for
     */
    LockQueue(
            LeaseName name,
            HolderId holder,
            LeaseSettings settings,
            Ticker ticker,
            Supplier<String> newId,
            Consumer<Action> out,
            Consumer<LeaseLock> holds) {
        this.name = name;
        this.settings = settings;
        this.ticker = ticker;
        this.out = out;
        this.holds = holds;
        this.candidacy = new Candidacy(
                name,
                holder,
                settings,
                Beat.wandering(holder, settings),
                (record, observed) -> claim(holder, newId.get(), record, observed),
                out);
    }

    /** There is a claim only while somebody waits. */
    private Claim claim(HolderId holder, String attempt, LeaseRecord record, boolean observed) {
        LockRequest first = waiters.element().request();
        return new Claim(
                name,
                holder,
                new AttemptId(attempt),
                record.token(),
                record.seq(),
                observed,
                first.ttl(),
                first.value());
    }

    LeaseName name() {
        return name;
    }

    Candidacy candidacy() {
        return candidacy;
    }

    /** Whether nobody waits, nothing is held and nothing is under way, so that it can be forgotten. */
    boolean isIdle() {
        return waiters.isEmpty() && held == null && !releasing;
    }

    /** The lock that a caller of this process has, or null. */
    @Nullable
    LeaseLock held() {
        return held;
    }

    // ---- waiting

    /** One more caller. */
    void join(LockWaiter waiter, Moment now) {
        if (waiter.request().isOneTry() && (held != null || releasing || !waiters.isEmpty())) {
            waiter.deny(LockResult.Why.TIMEOUT, seen());
            return;
        }
        waiters.add(waiter);
        contend(now);
    }

    private void contend(Moment now) {
        if (!contending && !releasing && held == null && !waiters.isEmpty()) {
            contending = true;
            candidacy.open(now);
        }
    }

    /** A caller does not wait any longer. What was claimed for it is given up. */
    void leave(LockWaiter waiter, LockResult.Why why, Moment now) {
        boolean first = waiters.peek() == waiter;
        if (waiters.remove(waiter) && first && contending) {
            contending = false;
            candidacy.close();
        }
        waiter.deny(why, seen());
        contend(now);
    }

    /** What is known of who has it. */
    private Optional<LeaseRecord> seen() {
        LeaseLock ours = held;
        return ours == null ? Optional.ofNullable(seen) : Optional.of(ours.asRecord());
    }

    /** Nobody need wait any longer. */
    void leaveAll(LockResult.Why why, Moment now) {
        while (!waiters.isEmpty()) {
            // the last first, so that none of them begins to contend
            leave(waiters.getLast(), why, now);
        }
    }

    // ---- what the store says

    void looked(LeaseRecord record, StoreClock clock, Moment now) {
        seen = record;
        candidacy.looked(record, clock, now);
        waiters.forEach(LockWaiter::untroubled);
        LockWaiter first = waiters.peek();
        if (first != null && candidacy.attempt() == null) {
            leaveIfOneTry(first, now);
        }
    }

    private void leaveIfOneTry(LockWaiter first, Moment now) {
        if (contending && first.request().isOneTry()) {
            leave(first, LockResult.Why.TIMEOUT, now);
        }
    }

    void unreadable(String why, Moment now) {
        candidacy.unreadable(why, now);
        failed(new LeaseStoreException(LeaseStoreException.Problem.UNREADABLE, why, null), now);
    }

    void lookFailed(LeaseStoreException why, Moment now) {
        candidacy.lookFailed(why.problem(), now);
        failed(why, now);
    }

    void claimFailed(Claim claim, Moment sentAt, LeaseStoreException why, Moment now) {
        boolean current = candidacy.isCurrent(claim);
        candidacy.claimFailed(claim, sentAt, why.problem(), now);
        if (current) {
            failed(why, now);
        }
    }

    /** What a person must mend is told at once; what may pass is waited for. */
    private void failed(LeaseStoreException why, Moment now) {
        waiters.forEach(waiter -> waiter.troubled(why));
        if (why.problem() != LeaseStoreException.Problem.UNAVAILABLE) {
            leaveAll(LockResult.Why.STORE, now);
        } else if (!waiters.isEmpty()) {
            leaveIfOneTry(waiters.element(), now);
        }
    }

    void claimReplied(Claim claim, Moment sentAt, ClaimResult result, Moment now) {
        if (!candidacy.isCurrent(claim)) {
            if (result instanceof ClaimResult.Granted granted) {
                // whoever it was for does not wait any longer
                out.accept(new Action.SendRelease(granted.lease(), true));
            }
        } else if (result instanceof ClaimResult.Granted granted) {
            granted(granted.lease(), candidacy.countsFrom(sentAt), now);
        } else {
            candidacy.refused(result, now);
            seen = result instanceof ClaimResult.HeldByOther other ? other.record() : seen;
            leaveIfOneTry(waiters.element(), now);
        }
    }

    private void granted(Lease lease, Moment countsFrom, Moment now) {
        LockWaiter first = waiters.element();
        LeaseLock lock = new LeaseLock(lease, first.request().value(), countsFrom, settings.clockBand(), ticker);
        if (!lock.isWorthwhile(now)) {
            candidacy.grantedTooLate(lease, now);
            leaveIfOneTry(first, now);
            return;
        }
        contending = false;
        candidacy.granted(lease);
        waiters.remove();
        held = lock;
        holds.accept(lock);
        if (!first.grant(lock)) {
            out.accept(new Action.SendRelease(lease, true));
            releasing(lock);
            released(now);
        }
    }

    // ---- the end of a grant

    /** The lock is being given back: nobody in this process contends before the store was told. */
    boolean releasing(LeaseLock lock) {
        if (held != lock) {
            return false;
        }
        lock.end();
        held = null;
        releasing = true;
        return true;
    }

    /** The store was told, or could not be. */
    void released(Moment now) {
        releasing = false;
        next(now);
    }

    /** The grant is over by this process's own clock, or by the store's word. */
    void over(LeaseLock lock, Moment now) {
        if (held == lock) {
            lock.end();
            held = null;
            next(now);
        }
    }

    private void next(Moment now) {
        candidacy.drained(now);
        contend(now);
    }
}
