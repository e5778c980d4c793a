/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Optional;

/**
 * One grant of a name for a fixed time: nobody renews it unless its user does. It counts from before its claim, or its last
 * renewal, was sent. Made by {@link LeaseLocks}. Thread-safe; no method blocks or does I/O.
 */
public final class LeaseLock {

    private static final int MARGINS_PER_TTL = 6;

    private final Ticker ticker;
    private final String value;
    private volatile Validity validity;
    private volatile boolean ended;

    /** The number of the newest renewal; confined to the timer thread. */
    private long seq;

    /**
     * A lock that lasts from now on.
     *
     * @param value the note for people that it was claimed with
     */
    LeaseLock(Lease lease, String value, Moment countsFrom, Duration clockBand, Ticker ticker) {
        this.ticker = ticker;
        this.value = value;
        long valid = LeaseSettings.validNanos(lease.ttl(), clockBand);
        this.validity = new Validity(lease, countsFrom, valid, valid, null);
    }

    /** The grant. */
    public Lease lease() {
        return validity.lease();
    }

    /**
     * Whether what the lock guards may begin at this instant. False for good once it was released; false until the next
     * renewal if a clock jumped so far that the time might be over.
     */
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** How long it may be relied on from this instant unless it is renewed; zero if it may not. */
    public Duration remaining() {
        Moment now = ticker.now();
        Validity at = validity;
        if (ended || at.isOver(now)) {
            return Duration.ZERO;
        }
        if (at.at(now) == Validity.Verdict.SUSPECT) {
            suspect(now);
        }
        return at.untilSuspension(now);
    }

    private synchronized void suspect(Moment now) {
        validity = validity.suspected(now);
    }

    // ---- for the locks, on the timer thread

    /** Whether enough of it is left to be handed out. */
    boolean isWorthwhile(Moment now) {
        Validity at = validity;
        long margin = at.lease().ttl().toNanos() / MARGINS_PER_TTL;
        return at.at(now) == Validity.Verdict.OPEN && now.nanosSince(at.sentAt()) < at.validNanos() - margin;
    }

    boolean isOver(Moment now) {
        return ended || validity.isOver(now);
    }

    long nanosToEnd(Moment now) {
        Validity at = validity;
        return at.validNanos() - now.nanosSince(at.sentAt());
    }

    Renewal nextRenewal(String nonce) {
        seq++;
        return new Renewal(lease(), seq, nonce);
    }

    synchronized void renewed(Moment sentAt) {
        validity = validity.renewed(sentAt);
    }

    /** What the store would say, as far as this process knows without asking; for people. */
    LeaseRecord asRecord() {
        Lease lease = lease();
        return new LeaseRecord(
                lease.name(),
                lease.token().value(),
                seq,
                Optional.of(lease.holder()),
                Optional.of(lease.attempt()),
                false,
                remaining(),
                lease.ttl(),
                value,
                Optional.empty());
    }

    void end() {
        ended = true;
    }

    @Override
    public String toString() {
        return "lock '" + lease().name() + "' token " + lease().token();
    }
}
