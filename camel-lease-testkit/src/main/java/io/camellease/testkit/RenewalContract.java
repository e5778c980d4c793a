/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.FencingToken;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S4: what keeps a grant alive. */
abstract class RenewalContract extends ClaimContract {

    private static final Duration MOST = Duration.ofMinutes(4);

    @Test
    final void s4_renewalRestoresTheFullTtlAndKeepsTheToken() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.shiftExpiry(name, MOST.negated());

        RenewResult result = renew(lease, 1);

        LeaseRecord record = look(name);
        assertThat(result).isEqualTo(RenewResult.RENEWED);
        assertThat(record.remaining()).isGreaterThan(MOST).isLessThanOrEqualTo(TTL);
        assertThat(record.token()).isEqualTo(lease.token().value());
        assertThat(record.seq()).isEqualTo(1);
        assertThat(record.attempt()).contains(lease.attempt());
        assertThat(record.ttl()).isEqualTo(TTL);
    }

    @Test
    final void s4_renewalNumbersMayHaveGaps() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        assertThat(renew(lease, 2)).isEqualTo(RenewResult.RENEWED);
        assertThat(renew(lease, 5_000_000_000L)).isEqualTo(RenewResult.RENEWED);
        assertThat(look(name).seq()).isEqualTo(5_000_000_000L);
    }

    @Test
    final void s4_renewalByAnotherHolderIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        assertLostAndUntouched(new Lease(name, BERT, lease.token(), lease.attempt(), TTL));
    }

    @Test
    final void s4_renewalWithAnotherTokenIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        long token = lease.token().value();

        assertLostAndUntouched(new Lease(name, ANNA, new FencingToken(token + 1), lease.attempt(), TTL));
        assertLostAndUntouched(new Lease(name, ANNA, new FencingToken(token - 1), lease.attempt(), TTL));
    }

    @Test
    final void s4_renewalOfAnotherAttemptIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        assertLostAndUntouched(new Lease(name, ANNA, lease.token(), AttemptId.unique(), TTL));
    }

    @Test
    final void s4_expiredGrantIsLostThoughNobodyTookIt() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.expire(name);

        assertLostAndUntouched(lease);
    }

    @Test
    final void s4_releasedGrantIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.release(lease);

        assertLostAndUntouched(lease);
    }

    @Test
    final void s4_grantThatWasTakenOverIsLost() {
        LeaseName name = newName();

        assertLostAndUntouched(takenOver(name, ANNA, BERT));
    }

    @Test
    final void s4_grantWhoseRecordIsGoneIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.wipe(name);

        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);
        assertThat(look(name).isHeld()).isFalse();
    }

    private void assertLostAndUntouched(Lease lease) {
        String before = fixture.raw(lease.name());

        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);

        assertThat(fixture.raw(lease.name())).isEqualTo(before);
    }

    @Test
    final void s4_olderRenewalIsStaleAndDoesNotShorten() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        renew(lease, 2);
        fixture.shiftExpiry(name, MOST);
        String before = fixture.raw(name);

        RenewResult result = renew(lease, 1);

        assertThat(result).isEqualTo(RenewResult.STALE);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s4_olderRenewalOfAnExpiredGrantIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        renew(lease, 2);
        fixture.expire(name);

        assertLostAndUntouched(lease);
    }

    @Test
    final void s4_renewalSentTwiceIsRenewedOnce() {
        LeaseName name = newName();
        Renewal renewal = new Renewal(grant(name, ANNA), 1, nonce());
        renew(renewal);
        fixture.shiftExpiry(name, MOST.negated());
        String before = fixture.raw(name);

        RenewResult again = renew(renewal);

        assertThat(again).isEqualTo(RenewResult.RENEWED);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s4_renewalByACloneOfTheProcessIsLost() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        renew(new Renewal(lease, 1, "nonce-of-the-original"));
        String before = fixture.raw(name);

        RenewResult clone = renew(new Renewal(lease, 1, "nonce-of-the-clone"));

        assertThat(clone).isEqualTo(RenewResult.LOST);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s4_nonceIsTakenLiterally() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        for (String nonce : List.of("$seq", "'x'", "\"x\"", "$$NOW", "a.b")) {
            Renewal renewal = new Renewal(lease, look(name).seq() + 1, nonce);
            assertThat(renew(renewal)).as(nonce).isEqualTo(RenewResult.RENEWED);
            assertThat(renew(renewal)).as(nonce).isEqualTo(RenewResult.RENEWED);
        }
    }
}
