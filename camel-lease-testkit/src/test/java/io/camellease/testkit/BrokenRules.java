/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.testkit.StoredRecord.Slot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Rules that are wrong in one point each: mistakes that lock libraries have made, and some that a new store could make. */
final class BrokenRules {

    private BrokenRules() {}

    /** By name, which begins with the rule that a contract test must find broken. */
    static Map<String, RecordRules> all() {
        Map<String, RecordRules> all = new LinkedHashMap<>();
        BrokenClaimRules.claims(all);
        BrokenClaimRules.attempts(all);
        renewals(all);
        releases(all);
        tokens(all);
        state(all);
        return all;
    }

    private static void renewals(Map<String, RecordRules> all) {
        all.put("s4 renewal does not compare the token", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                Lease lease = renewal.lease();
                return record.isHeld(now) && isGrantOf(record, lease.holder(), lease.attempt());
            }
        });
        all.put("s4 renewal does not compare the attempt", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                return record.isHeld(now) && isGrantOf(record, renewal.lease());
            }
        });
        all.put("s4 renewal does not compare the holder", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                return record.isHeld(now)
                        && record.token() == renewal.lease().token().value()
                        && record.attempt().equals(Optional.of(renewal.lease().attempt()));
            }
        });
        all.put("s4 renewal revives an expired grant", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                return isGrantOf(record, renewal.lease()) && !record.released();
            }
        });
        all.put("s4 renewal revives a released grant", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                return isGrantOf(record, renewal.lease()) && !record.isExpired(now);
            }
        });
        all.put("s4 older renewal is applied", new RecordRules() {
            @Override
            Change<RenewResult> renew(StoredRecord record, Renewal renewal, Instant now) {
                boolean older = isRenewable(record, renewal, now) && renewal.seq() < record.seq();
                return older
                        ? Change.to(renewed(record, renewal, now), RenewResult.RENEWED)
                        : super.renew(record, renewal, now);
            }
        });
        all.put("s4 older renewal is lost", new RecordRules() {
            @Override
            boolean isRenewable(StoredRecord record, Renewal renewal, Instant now) {
                return super.isRenewable(record, renewal, now) && renewal.seq() >= record.seq();
            }
        });
        all.put("s4 clone is renewed", new RecordRules() {
            @Override
            boolean isSameNonce(StoredRecord record, Renewal renewal) {
                return true;
            }
        });
        all.put("s4 renewal sent twice is lost", new RecordRules() {
            @Override
            boolean isSameNonce(StoredRecord record, Renewal renewal) {
                return false;
            }
        });
        all.put("s4 renewal does not move the expiry", new RecordRules() {
            @Override
            StoredRecord renewed(StoredRecord record, Renewal renewal, Instant now) {
                return record.renewed(renewal.seq(), renewal.nonce(), record.expiresAtMillis());
            }
        });
        all.put("s4 renewal adds the ttl to the expiry", new RecordRules() {
            @Override
            StoredRecord renewed(StoredRecord record, Renewal renewal, Instant now) {
                return record.renewed(
                        renewal.seq(),
                        renewal.nonce(),
                        record.expiresAtMillis() + record.ttl().toMillis());
            }
        });
    }

    private static void releases(Map<String, RecordRules> all) {
        all.put("s5 release deletes the record", new RecordRules() {
            @Override
            StoredRecord released(StoredRecord record) {
                return StoredRecord.NONE;
            }
        });
        all.put("s5 release frees a successor", new RecordRules() {
            @Override
            Change<Boolean> release(StoredRecord record, Lease lease) {
                return Change.to(released(record), true);
            }
        });
        all.put("s5 release does not compare the token", new RecordRules() {
            @Override
            Change<Boolean> release(StoredRecord record, Lease lease) {
                boolean same = record.holder().equals(Optional.of(lease.holder()));
                return same ? Change.to(released(record), true) : Change.none(false);
            }
        });
        all.put("s5 second release is refused", new RecordRules() {
            @Override
            Change<Boolean> release(StoredRecord record, Lease lease) {
                return record.released() ? Change.none(false) : super.release(record, lease);
            }
        });
        all.put("s5 abandon does not compare the attempt", new RecordRules() {
            @Override
            Change<Boolean> abandon(StoredRecord record, HolderId holder, AttemptId attempt) {
                boolean same = record.holder().equals(Optional.of(holder));
                return same ? Change.to(released(record), true) : Change.none(false);
            }
        });
        all.put("s5 abandon does nothing", new RecordRules() {
            @Override
            Change<Boolean> abandon(StoredRecord record, HolderId holder, AttemptId attempt) {
                return Change.none(false);
            }
        });
    }

    private static void tokens(Map<String, RecordRules> all) {
        all.put("s6 token starts again when the record is lost", new RecordRules() {
            @Override
            long nextToken(StoredRecord record, Instant now) {
                return record.token() + 1;
            }
        });
        all.put("s6 token is the clock alone", new RecordRules() {
            @Override
            long nextToken(StoredRecord record, Instant now) {
                return now.toEpochMilli();
            }
        });
        all.put("s7 grant lasts half its ttl", new RecordRules() {
            @Override
            StoredRecord granted(StoredRecord record, Claim claim, Instant now) {
                StoredRecord next = super.granted(record, claim, now);
                return next.renewed(0, "", now.toEpochMilli() + claim.ttl().toMillis() / 2);
            }
        });
    }

    private static void state(Map<String, RecordRules> all) {
        all.put("slot is lost with the grant", new RecordRules() {
            @Override
            StoredRecord granted(StoredRecord record, Claim claim, Instant now) {
                StoredRecord next = super.granted(record, claim, now);
                return new StoredRecord(
                        next.token(),
                        next.seq(),
                        next.nonce(),
                        next.holder(),
                        next.attempt(),
                        next.released(),
                        next.expiresAtMillis(),
                        next.ttl(),
                        next.value(),
                        next.acquiredAtMillis(),
                        Map.of());
            }
        });
        all.put("slot moves back", new RecordRules() {
            @Override
            boolean isForward(Optional<Slot> stored, Slot next) {
                return true;
            }
        });
        all.put("slot of an earlier grant is repeated", new RecordRules() {
            @Override
            boolean isForward(Optional<Slot> stored, Slot next) {
                return stored.isEmpty() || next.atMillis() >= stored.get().atMillis();
            }
        });
        all.put("slot cannot be sent again", new RecordRules() {
            @Override
            boolean isForward(Optional<Slot> stored, Slot next) {
                return stored.isEmpty() || next.atMillis() > stored.get().atMillis();
            }
        });
        all.put("slot of any time to come is taken", new RecordRules() {
            @Override
            boolean isTooFarAhead(Instant slot, Instant now) {
                return false;
            }
        });
        all.put("slot moves after expiry", new RecordRules() {
            @Override
            Change<AdvanceResult> advance(StoredRecord record, Lease lease, String key, Instant slot, Instant now) {
                return super.advance(record, lease, key, slot, now.minusSeconds(172_800));
            }
        });
        all.put("value is replaced by a stale holder", new RecordRules() {
            @Override
            Change<Boolean> setValue(StoredRecord record, Lease lease, String value, Instant now) {
                return Change.to(record.withValue(value), true);
            }
        });
    }
}
