/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** S1-S3: who is granted a lease. */
abstract class ClaimContract extends ContractSupport {

    @Test
    final void s1_missingRecordIsGranted() {
        LeaseName name = newName();
        Claim claim = withValue(claimOn(LeaseRecord.absent(name), ANNA), "pid 17");

        ClaimResult result = store.claim(claim);

        Lease lease = granted(result);
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.holder()).isEqualTo(ANNA);
        assertThat(lease.attempt()).isEqualTo(claim.attempt());
        assertThat(lease.ttl()).isEqualTo(TTL);
        assertThat(((ClaimResult.Granted) result).slots()).isEmpty();
        assertRecordOf(lease, look(name));
        assertThat(look(name).value()).isEqualTo("pid 17");
    }

    private static void assertRecordOf(Lease lease, LeaseRecord record) {
        assertThat(record.name()).isEqualTo(lease.name());
        assertThat(record.token()).isEqualTo(lease.token().value());
        assertThat(record.seq()).isZero();
        assertThat(record.holder()).contains(lease.holder());
        assertThat(record.attempt()).contains(lease.attempt());
        assertThat(record.released()).isFalse();
        assertThat(record.ttl()).isEqualTo(lease.ttl());
        assertThat(record.remaining()).isPositive().isLessThanOrEqualTo(lease.ttl());
        assertThat(record.acquiredAt()).isPresent();
        assertThat(record.isHeld()).isTrue();
    }

    @Test
    final void s1_releasedRecordIsGrantedWithALargerToken() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        store.release(first);

        Lease second = grant(name, BERT);

        assertThat(second.token()).isGreaterThan(first.token());
        assertRecordOf(second, look(name));
    }

    @Test
    final void s1_expiredRecordIsGrantedWithALargerToken() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        fixture.expire(name);

        Lease second = grant(name, BERT);

        assertThat(second.token()).isGreaterThan(first.token());
        assertRecordOf(second, look(name));
    }

    @Test
    final void s1_expiredRecordIsSeenAsFree() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.expire(name);

        LeaseRecord record = look(name);

        assertThat(record.isHeld()).isFalse();
        assertThat(record.remaining()).isZero();
        assertThat(record.released()).isFalse();
        assertThat(record.token()).isEqualTo(lease.token().value());
        assertThat(record.holder()).contains(ANNA);
    }

    @Test
    final void s1_grantCountsItsRenewalsFromZero() {
        LeaseName name = newName();
        renew(grant(name, ANNA), 7);
        fixture.expire(name);

        Lease lease = grant(name, BERT);

        assertThat(look(name).seq()).isZero();
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.RENEWED);
    }

    @Test
    final void s2_heldRecordIsRefusedWithTheRemainingTime() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.shiftExpiry(name, Duration.ofMinutes(-2));
        String before = fixture.raw(name);

        LeaseRecord record = refused(store.claim(claimOn(look(name), BERT)));

        assertThat(record.holder()).contains(ANNA);
        assertThat(record.token()).isEqualTo(lease.token().value());
        assertThat(record.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(3));
        assertThat(record.isHeld()).isTrue();
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s2_answersCarryTheClockOfTheStore() {
        LeaseName name = newName();
        ClaimResult granted = store.claim(claimOn(look(name), ANNA));
        ClaimResult refused = store.claim(claimOn(look(name), BERT));

        assertThat(refused.storeNow()).isBetween(granted.storeNow(), storeNow(name));
    }

    @Test
    final void s2_oneStoreSeesTheGrantOfAnother() {
        LeaseName name = newName();
        grant(name, ANNA);

        try (var other = fixture.open()) {
            assertThat(look(other, name).isHeld()).isTrue();
            refused(other.claim(claimOn(look(other, name), BERT)));
        }
    }

    @Test
    final void s2_closingAStoreReleasesNothing() {
        LeaseName name = newName();
        try (var other = fixture.open()) {
            granted(other.claim(claimOn(look(other, name), ANNA)));
        }

        assertThat(look(name).isHeld()).isTrue();
    }

    @Test
    final void s3_claimSentAgainGetsTheSameGrant() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        Lease lease = granted(store.claim(claim));
        String before = fixture.raw(name);

        Lease again = granted(store.claim(claim));

        assertThat(again).isEqualTo(lease);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_claimSentAgainDoesNotUndoRenewals() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        Lease lease = granted(store.claim(claim));
        renew(lease, 1);
        renew(lease, 2);
        String before = fixture.raw(name);

        Lease again = granted(store.claim(claim));

        assertThat(again).isEqualTo(lease);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_releasedAttemptIsSpent() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        store.release(granted(store.claim(claim)));
        String before = fixture.raw(name);

        ClaimResult again = store.claim(claim);

        assertThat(again).isInstanceOf(ClaimResult.Spent.class);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_expiredAttemptIsSpent() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        granted(store.claim(claim));
        fixture.expire(name);
        String before = fixture.raw(name);

        ClaimResult again = store.claim(claim);

        assertThat(again).isInstanceOf(ClaimResult.Spent.class);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_spentAttemptStaysSpentThoughItNamesTheNewestToken() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        store.release(granted(store.claim(claim)));
        Claim updated = withAttempt(claimOn(look(name), ANNA), claim.attempt());

        assertThat(store.claim(updated)).isInstanceOf(ClaimResult.Spent.class);
    }

    private static Claim withAttempt(Claim claim, AttemptId attempt) {
        return new Claim(
                claim.name(),
                claim.holder(),
                attempt,
                claim.expectedToken(),
                claim.expectedSeq(),
                claim.observed(),
                claim.ttl(),
                claim.value());
    }

    @Test
    final void s3_attemptOfAnotherHolderIsNotMine() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        Claim sameAttempt = withAttempt(claimOn(look(name), BERT), lease.attempt());

        assertThat(refused(store.claim(sameAttempt)).holder()).contains(ANNA);
    }

    @Test
    final void s3_delayedClaimIsNotGrantedAfterALaterGrant() {
        LeaseName name = newName();
        Claim delayed = claimOn(look(name), ANNA);
        store.release(grant(name, BERT));
        String before = fixture.raw(name);

        LeaseRecord record = refused(store.claim(delayed));

        assertThat(record.isHeld()).isFalse();
        assertThat(record.holder()).contains(BERT);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_lateCopyOfAGrantedClaimIsNotGrantedAfterALaterGrant() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        store.release(granted(store.claim(claim)));
        store.release(grant(name, BERT));
        String before = fixture.raw(name);

        refused(store.claim(claim));

        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s3_claimThatMissedARenewalIsRefusedThoughTheGrantExpired() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        Claim early = claimOn(look(name), BERT);
        renew(lease, 1);
        fixture.expire(name);

        LeaseRecord record = refused(store.claim(early));

        assertThat(record.seq()).isEqualTo(1);
        assertThat(record.isHeld()).isFalse();
    }

    @Test
    final void s3_refusalSaysWhatToClaimNext() {
        LeaseName name = newName();
        Claim delayed = claimOn(look(name), BERT);
        Lease lease = grant(name, ANNA);
        renew(lease, 3);
        store.release(lease);

        LeaseRecord record = refused(store.claim(delayed));

        granted(store.claim(claimOn(record, BERT)));
    }

    @Test
    final void s3_claimOnARecordThatIsGoneIsRefused() {
        LeaseName name = newName();
        grant(name, ANNA);
        LeaseRecord seen = look(name);
        fixture.wipe(name);

        LeaseRecord record = refused(store.claim(claimOn(seen, BERT)));

        assertThat(record.isHeld()).isFalse();
        granted(store.claim(claimOn(record, BERT)));
    }

    @Test
    final void s3_laterAttemptOfTheHolderGetsALargerToken() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);

        Lease second = grant(name, ANNA);

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(renew(first, 1)).isEqualTo(RenewResult.LOST);
        assertThat(store.release(first)).isFalse();
        assertThat(renew(second, 1)).isEqualTo(RenewResult.RENEWED);
    }

    @Test
    final void s3_laterAttemptOfTheHolderMustNameTheNewestTokenToo() {
        LeaseName name = newName();
        LeaseRecord before = look(name);
        grant(name, ANNA);

        refused(store.claim(claimOn(before, ANNA)));
    }

    @Test
    final void s3_observedClaimTakesARecordThatOutlastsItsOwnTtl() {
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        fixture.shiftExpiry(name, Duration.ofHours(1));

        Lease second = granted(store.claim(observed(claimOn(look(name), BERT))));

        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(look(name).remaining()).isLessThanOrEqualTo(TTL);
        assertThat(renew(first, 1)).isEqualTo(RenewResult.LOST);
    }

    @Test
    final void s3_unobservedClaimDoesNotTakeARecordThatOutlastsItsOwnTtl() {
        LeaseName name = newName();
        grant(name, ANNA);
        fixture.shiftExpiry(name, Duration.ofHours(1));

        LeaseRecord record = refused(store.claim(claimOn(look(name), BERT)));

        assertThat(record.remaining()).isGreaterThan(record.ttl());
    }

    @Test
    final void s3_observedClaimDoesNotTakeARecordWithinItsTtl() {
        LeaseName name = newName();
        grant(name, ANNA);

        refused(store.claim(observed(claimOn(look(name), BERT))));
    }

    @Test
    final void s3_observedClaimThatMissedARenewalIsRefused() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        Claim early = observed(claimOn(look(name), BERT));
        renew(lease, 1);
        fixture.shiftExpiry(name, Duration.ofHours(1));

        refused(store.claim(early));
    }

    @Test
    final void s3_holderIdsThatLookAlikeAreDifferentHolders() {
        LeaseName name = newName();
        grant(name, new HolderId("node#1"));

        LeaseRecord record = refused(store.claim(claimOn(look(name), new HolderId("Node#1"))));

        assertThat(record.holder()).isEqualTo(Optional.of(new HolderId("node#1")));
    }
}
