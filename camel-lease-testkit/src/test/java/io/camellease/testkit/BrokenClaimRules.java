/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Rules S1-S3 that are wrong in one point each. */
final class BrokenClaimRules {

    private BrokenClaimRules() {}

    static void claims(Map<String, RecordRules> all) {
        all.put("s1 released record is not free", new RecordRules() {
            @Override
            boolean mayTake(StoredRecord record, Claim claim, Instant now) {
                return !record.released() && super.mayTake(record, claim, now);
            }
        });
        all.put("s1 grant keeps the renewal number of its predecessor", new RecordRules() {
            @Override
            StoredRecord granted(StoredRecord record, Claim claim, Instant now) {
                StoredRecord next = super.granted(record, claim, now);
                return next.renewed(record.seq(), "", next.expiresAtMillis());
            }
        });
        all.put("s2 held record is granted", new RecordRules() {
            @Override
            boolean mayTake(StoredRecord record, Claim claim, Instant now) {
                return true;
            }
        });
        all.put("s3 expected token is ignored", new RecordRules() {
            @Override
            boolean isAsSeen(StoredRecord record, Claim claim) {
                return record.seq() == claim.expectedSeq();
            }
        });
        all.put("s3 expected renewal number is ignored", new RecordRules() {
            @Override
            boolean isAsSeen(StoredRecord record, Claim claim) {
                return record.token() == claim.expectedToken();
            }
        });
        all.put("s3 whatever outlasts its ttl may be taken", new RecordRules() {
            @Override
            boolean outlastsItsTtl(StoredRecord record, Claim claim, Instant now) {
                return record.remaining(now).compareTo(record.ttl()) > 0;
            }
        });
        all.put("s3 observed claim takes everything", new RecordRules() {
            @Override
            boolean outlastsItsTtl(StoredRecord record, Claim claim, Instant now) {
                return claim.observed();
            }
        });
        all.put("s3 observation is ignored", new RecordRules() {
            @Override
            boolean outlastsItsTtl(StoredRecord record, Claim claim, Instant now) {
                return false;
            }
        });
        all.put("s3 later attempt of the holder is refused", new RecordRules() {
            @Override
            boolean mayTake(StoredRecord record, Claim claim, Instant now) {
                return !record.isHeld(now) || outlastsItsTtl(record, claim, now);
            }
        });
    }

    static void attempts(Map<String, RecordRules> all) {
        all.put("s3 attempt sent again is refused", new RecordRules() {
            @Override
            Change<ClaimResult> sentAgain(StoredRecord record, Claim claim, Instant now) {
                return Change.none(new ClaimResult.HeldByOther(record.seen(claim.name(), now), now));
            }
        });
        all.put("s3 attempt sent again gets a new token", new RecordRules() {
            @Override
            Change<ClaimResult> sentAgain(StoredRecord record, Claim claim, Instant now) {
                StoredRecord next = granted(record, claim, now);
                return Change.to(next, new ClaimResult.Granted(lease(next, claim), next.slotInstants(), now));
            }
        });
        all.put("s3 attempt sent again undoes renewals", new RecordRules() {
            @Override
            Change<ClaimResult> sentAgain(StoredRecord record, Claim claim, Instant now) {
                Change<ClaimResult> right = super.sentAgain(record, claim, now);
                return Change.to(record.renewed(0, "", record.expiresAtMillis()), right.answer());
            }
        });
        all.put("s3 spent attempt is granted once more", new RecordRules() {
            @Override
            Change<ClaimResult> sentAgain(StoredRecord record, Claim claim, Instant now) {
                return Change.none(new ClaimResult.Granted(lease(record, claim), Map.of(), now));
            }
        });
        all.put("s3 attempt is recognised whoever sends it", new RecordRules() {
            @Override
            boolean isGrantOf(StoredRecord record, HolderId holder, AttemptId attempt) {
                return record.attempt().equals(Optional.of(attempt));
            }
        });
    }
}
