/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.testkit.StoredRecord.Slot;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules S1-S6 of {@link io.camellease.core.LeaseStore} as pure functions from a record and the store's clock to an answer
 * and the next record. Stateless. Not final, so that the test of the contract can break one rule at a time.
 */
class RecordRules {

    /**
     * What an operation does to a record.
     *
     * @param answer the store's word
     * @param record the record afterwards, empty if it stays as it is
     */
    record Change<A>(A answer, Optional<StoredRecord> record) {

        static <A> Change<A> none(A answer) {
            return new Change<>(answer, Optional.empty());
        }

        static <A> Change<A> to(StoredRecord record, A answer) {
            return new Change<>(answer, Optional.of(record));
        }
    }

    Change<ClaimResult> claim(StoredRecord record, Claim claim, Instant now) {
        if (isGrantOf(record, claim.holder(), claim.attempt())) {
            return sentAgain(record, claim, now);
        }
        if (isAsSeen(record, claim) && mayTake(record, claim, now)) {
            StoredRecord next = granted(record, claim, now);
            return Change.to(next, grant(next, claim, now));
        }
        return Change.none(new ClaimResult.HeldByOther(record.seen(claim.name(), now), now));
    }

    Change<ClaimResult> sentAgain(StoredRecord record, Claim claim, Instant now) {
        return Change.none(record.isHeld(now) ? grant(record, claim, now) : new ClaimResult.Spent(now));
    }

    boolean isAsSeen(StoredRecord record, Claim claim) {
        return record.token() == claim.expectedToken() && record.seq() == claim.expectedSeq();
    }

    boolean mayTake(StoredRecord record, Claim claim, Instant now) {
        return !record.isHeld(now)
                || record.holder().equals(Optional.of(claim.holder()))
                || outlastsItsTtl(record, claim, now);
    }

    boolean outlastsItsTtl(StoredRecord record, Claim claim, Instant now) {
        return claim.observed() && record.remaining(now).compareTo(record.ttl()) > 0;
    }

    StoredRecord granted(StoredRecord record, Claim claim, Instant now) {
        return new StoredRecord(
                nextToken(record, now),
                0,
                "",
                Optional.of(claim.holder()),
                Optional.of(claim.attempt()),
                false,
                now.toEpochMilli() + claim.ttl().toMillis(),
                claim.ttl(),
                claim.value(),
                now.toEpochMilli(),
                record.slots());
    }

    long nextToken(StoredRecord record, Instant now) {
        return Math.max(record.token() + 1, now.toEpochMilli());
    }

    private ClaimResult grant(StoredRecord record, Claim claim, Instant now) {
        return new ClaimResult.Granted(lease(record, claim), record.slotInstants(), now);
    }

    Lease lease(StoredRecord record, Claim claim) {
        return new Lease(claim.name(), claim.holder(), new FencingToken(record.token()), claim.attempt(), record.ttl());
    }

    Change<RenewResult> renew(StoredRecord record, Renewal renewal, Instant now) {
        if (!isRenewable(record, renewal, now)) {
            return Change.none(RenewResult.LOST);
        }
        if (renewal.seq() < record.seq()) {
            return Change.none(RenewResult.STALE);
        }
        if (renewal.seq() == record.seq()) {
            return Change.none(isSameNonce(record, renewal) ? RenewResult.RENEWED : RenewResult.LOST);
        }
        return Change.to(renewed(record, renewal, now), RenewResult.RENEWED);
    }

    StoredRecord renewed(StoredRecord record, Renewal renewal, Instant now) {
        return record.renewed(
                renewal.seq(),
                renewal.nonce(),
                now.toEpochMilli() + record.ttl().toMillis());
    }

    boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
        Lease lease = renewal.lease();
        return record.isHeld(now)
                && record.token() == lease.token().value()
                && isGrantOf(record, lease.holder(), lease.attempt());
    }

    boolean isSameNonce(StoredRecord record, Renewal renewal) {
        return record.nonce().equals(renewal.nonce());
    }

    Change<Boolean> release(StoredRecord record, Lease lease) {
        if (!isGrantOf(record, lease)) {
            return Change.none(false);
        }
        return record.released() ? Change.none(true) : Change.to(released(record), true);
    }

    StoredRecord released(StoredRecord record) {
        return record.withReleased();
    }

    Change<Boolean> abandon(StoredRecord record, HolderId holder, AttemptId attempt) {
        boolean mine = isGrantOf(record, holder, attempt) && !record.released();
        return mine ? Change.to(released(record), true) : Change.none(false);
    }

    Change<Boolean> setValue(StoredRecord record, Lease lease, String value, Instant now) {
        boolean mine = isGrantOf(record, lease) && record.isHeld(now);
        return mine ? Change.to(record.withValue(value), true) : Change.none(false);
    }

    Change<AdvanceResult> advance(StoredRecord record, Lease lease, String key, Instant slot, Instant now) {
        if (!isGrantOf(record, lease) || !record.isHeld(now)) {
            return Change.none(AdvanceResult.REFUSED);
        }
        Slot next = new Slot(slot.toEpochMilli(), record.token());
        if (isTooFarAhead(slot, now)
                || !isForward(Optional.ofNullable(record.slots().get(key)), next)) {
            return Change.none(AdvanceResult.REFUSED);
        }
        return Change.to(record.withSlot(key, next), AdvanceResult.ADVANCED);
    }

    boolean isTooFarAhead(Instant slot, Instant now) {
        return slot.isAfter(now.plus(LeaseStore.MAX_SLOT_AHEAD));
    }

    boolean isForward(Optional<Slot> stored, Slot next) {
        return stored.isEmpty() || next.atMillis() > stored.get().atMillis() || next.equals(stored.get());
    }

    boolean isGrantOf(StoredRecord record, Lease lease) {
        return record.token() == lease.token().value() && record.holder().equals(Optional.of(lease.holder()));
    }

    boolean isGrantOf(StoredRecord record, HolderId holder, AttemptId attempt) {
        return record.holder().equals(Optional.of(holder)) && record.attempt().equals(Optional.of(attempt));
    }
}
