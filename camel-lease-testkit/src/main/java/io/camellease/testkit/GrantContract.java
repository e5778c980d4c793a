/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** S1 and S2: a free lease is granted, a held one is not. */
abstract class GrantContract extends ContractSupport {

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
    final void s1_ttlIsKeptToTheMillisecond() {
        LeaseName name = newName();
        Duration ttl = Duration.ofMillis(90_123);
        Claim claim = claimOn(look(name), ANNA);

        Lease lease = granted(store.claim(
                new Claim(name, ANNA, claim.attempt(), claim.expectedToken(), claim.expectedSeq(), false, ttl, "")));

        assertThat(lease.ttl()).isEqualTo(ttl);
        assertThat(look(name).ttl()).isEqualTo(ttl);
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
}
