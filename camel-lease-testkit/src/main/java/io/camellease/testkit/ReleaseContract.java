/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import org.junit.jupiter.api.Test;

/** S5: what gives a grant back, and what does not. */
abstract class ReleaseContract extends RenewalContract {

    @Test
    final void s5_releaseFreesTheLeaseAndKeepsTheToken() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        boolean released = store.release(lease);

        LeaseRecord record = look(name);
        assertThat(released).isTrue();
        assertThat(record.released()).isTrue();
        assertThat(record.isHeld()).isFalse();
        assertThat(record.remaining()).isZero();
        assertThat(record.token()).isEqualTo(lease.token().value());
    }

    @Test
    final void s5_releaseTwiceIsTheSameAsOnce() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.release(lease);
        String before = fixture.raw(name);

        boolean again = store.release(lease);

        assertThat(again).isTrue();
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s5_expiredGrantCanBeReleasedWhileNobodyTookIt() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.expire(name);

        assertThat(store.release(lease)).isTrue();
        assertThat(look(name).released()).isTrue();
    }

    @Test
    final void s5_staleLeaseCannotReleaseItsSuccessor() {
        LeaseName name = newName();

        assertNotReleased(takenOver(name, ANNA, BERT));
    }

    @Test
    final void s5_releasedLeaseCannotReleaseItsSuccessor() {
        LeaseName name = newName();
        Lease stale = grant(name, ANNA);
        store.release(stale);
        grant(name, BERT);

        assertNotReleased(stale);
    }

    @Test
    final void s5_staleLeaseCannotReleaseALaterGrantOfTheSameHolder() {
        LeaseName name = newName();

        assertNotReleased(takenOver(name, ANNA, ANNA));
    }

    @Test
    final void s5_anotherHolderCannotRelease() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        assertNotReleased(new Lease(name, BERT, lease.token(), lease.attempt(), TTL));
    }

    @Test
    final void s5_anotherTokenCannotRelease() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        long token = lease.token().value();

        assertNotReleased(new Lease(name, ANNA, new FencingToken(token + 1), lease.attempt(), TTL));
        assertNotReleased(new Lease(name, ANNA, new FencingToken(token - 1), lease.attempt(), TTL));
    }

    private void assertNotReleased(Lease lease) {
        String before = fixture.raw(lease.name());

        assertThat(store.release(lease)).isFalse();

        assertThat(fixture.raw(lease.name())).isEqualTo(before);
        assertThat(look(lease.name()).isHeld()).isTrue();
    }

    @Test
    final void s5_releaseOfARecordThatIsGoneIsFalse() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.wipe(name);

        assertThat(store.release(lease)).isFalse();
    }

    @Test
    final void s5_abandonFreesAGrantWhoseReplyWasLost() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        granted(store.claim(claim));

        store.abandon(name, ANNA, claim.attempt());

        assertThat(look(name).isHeld()).isFalse();
        assertThat(look(name).released()).isTrue();
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Spent.class);
    }

    @Test
    final void s5_abandonOfAnotherAttemptChangesNothing() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        String before = fixture.raw(name);

        store.abandon(name, ANNA, AttemptId.unique());
        store.abandon(name, BERT, lease.attempt());

        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s5_abandonDoesNotFreeASuccessor() {
        LeaseName name = newName();
        Lease stale = takenOver(name, ANNA, BERT);
        String before = fixture.raw(name);

        store.abandon(name, ANNA, stale.attempt());

        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s5_abandonTwiceIsTheSameAsOnce() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.abandon(name, ANNA, lease.attempt());
        String before = fixture.raw(name);

        store.abandon(name, ANNA, lease.attempt());

        assertThat(fixture.raw(name)).isEqualTo(before);
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);
    }

    @Test
    final void s5_abandonedClaimThatWasNeverGrantedCanStillBe() {
        LeaseName name = newName();
        Claim late = claimOn(look(name), ANNA);

        store.abandon(name, ANNA, late.attempt());

        granted(store.claim(late));
    }
}
