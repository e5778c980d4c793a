/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The holding half of a {@link LeaseMachine}: one grant from its beginning to its end, how long it may be relied on and when
 * it is renewed next. Pure; confined to the timer thread.
 */
final class Holding {

    private final LeaseSettings settings;
    private final Pace pace;
    private final Supplier<String> newNonce;

    private Validity validity;
    private long seq;
    private boolean renewing;
    private int failures;
    private long renewAtNanos;
    private @Nullable Moment drainUntil;
    private boolean leftToExpire;

    /**
     * @param newNonce a new random text of at most 64 characters at every call
     * @param sentAt when the claim was sent that was granted, the first time if it was sent again
     */
    Holding(LeaseSettings settings, Supplier<String> newNonce, Lease lease, Moment sentAt) {
        this.settings = settings;
        this.pace = new Pace(settings);
        this.newNonce = newNonce;
        this.validity = new Validity(lease, sentAt, settings.usableNanos(), settings.validNanos(), null);
        this.renewAtNanos = sentAt.nanos() + pace.nextRenewal(sentAt);
    }

    Lease lease() {
        return validity.lease();
    }

    Validity validity() {
        return validity;
    }

    Validity.Verdict verdict(Moment now) {
        return validity.at(now);
    }

    boolean isOver(Moment now) {
        return validity.isOver(now);
    }

    // ---- renewing

    /**
     * Whether a renewal is due.
     *
     * @param aheadNanos how much earlier than it must it may be sent
     */
    boolean renewalDue(long nowNanos, long aheadNanos) {
        return !renewing && !leftToExpire && renewAtNanos - nowNanos <= aheadNanos;
    }

    Renewal nextRenewal() {
        Renewal next = new Renewal(lease(), seq + 1, newNonce.get());
        renewing = true;
        seq = next.seq();
        return next;
    }

    boolean isNewest(Renewal renewal) {
        return lease().equals(renewal.lease()) && renewal.seq() == seq;
    }

    void renewed(Moment sentAt, Moment now) {
        renewing = false;
        failures = 0;
        validity = validity.renewed(sentAt);
        boolean open = verdict(now) == Validity.Verdict.OPEN;
        renewAtNanos = open ? sentAt.nanos() + pace.nextRenewal(sentAt) : rightAfter(now);
    }

    /** A renewal of the very same instant would not count as sent after a suspicion. */
    private static long rightAfter(Moment now) {
        return now.nanos() + 1;
    }

    /** The outcome is unknown: the next one comes sooner than usual, and never later than R after this one was sent. */
    void renewFailed(Moment sentAt, Moment now) {
        renewing = false;
        failures++;
        long sooner = pace.retry(failures);
        long rest = settings.renewInterval().toNanos() - now.nanosSince(sentAt);
        renewAtNanos = now.nanos() + Math.min(sooner, rest);
    }

    /** The answer says nothing about this grant: it was not extended. */
    void renewIgnored(Moment now) {
        renewing = false;
        renewAtNanos = now.nanos() + pace.retry(1);
    }

    // ---- suspicion

    boolean isNewlySuspect(Moment now) {
        return verdict(now) == Validity.Verdict.SUSPECT && !validity.isUnderSuspicion();
    }

    /** A clock jumped: only a renewal that is sent after this instant lifts the suspicion. */
    void suspect(Moment now) {
        validity = validity.suspected(now);
        renewAtNanos = rightAfter(now);
    }

    // ---- the end

    /** The work is asked to end; it is renewed for that long. */
    void drain(Moment now) {
        drainUntil = now.plusNanos(settings.drainTimeout().toNanos());
    }

    /** The drain took too long: no renewal any more. */
    void leaveToExpire() {
        leftToExpire = true;
    }

    void passTime(Moment now) {
        if (drainUntil != null && now.nanosSince(drainUntil) >= 0) {
            leaveToExpire();
        }
    }

    /** When time alone, or a renewal that is due, changes something next. */
    long wakeAt(boolean beforeSuspension) {
        long sent = validity.sentAt().nanos();
        long wake = sent + (beforeSuspension ? validity.usableNanos() : validity.validNanos());
        return !renewing && !leftToExpire && renewAtNanos - wake < 0 ? renewAtNanos : wake;
    }
}
