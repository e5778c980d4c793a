/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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

/** S3: a claim is granted once, and only on the record that its candidate saw. */
abstract class ClaimContract extends GrantContract {

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
