/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.Found;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** S11: what cannot be read is left alone and reported. */
abstract class DamagedRecordContract extends BatchContract {

    @Test
    final void s11_damagedRecordIsNotGrantedAndItsPlaceIsNamed() {
        LeaseName name = newName();
        Claim claim = claimOn(look(name), ANNA);
        granted(store.claim(claim));
        Claim next = claimOn(look(name), BERT);
        fixture.damage(name);
        String before = fixture.raw(name);

        for (Claim each : List.of(claim, next, observed(next), claimOn(LeaseRecord.absent(name), ANNA))) {
            LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, () -> store.claim(each));
            assertThat(thrown).as("claim %s", each).isNotNull();
            assertThat(thrown.problem()).isEqualTo(Problem.UNREADABLE);
            assertThat(thrown).hasMessageContaining(name.value());
        }
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s11_damagedRecordIsNotGrantedAfterItsExpiryEither() {
        LeaseName name = newName();
        grant(name, ANNA);
        fixture.expire(name);
        Claim claim = claimOn(look(name), BERT);
        fixture.damage(name);
        String before = fixture.raw(name);

        LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, () -> store.claim(claim));

        assertThat(thrown).isNotNull();
        assertThat(thrown.problem()).isEqualTo(Problem.UNREADABLE);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    @Test
    final void s11_grantWhoseRecordIsDamagedIsLostAndOnlyThatOne() {
        Lease damaged = grant(newName(), ANNA);
        Lease sound = grant(newName(), ANNA);
        fixture.damage(damaged.name());
        String before = fixture.raw(damaged.name());

        List<RenewResult> results =
                store.renew(List.of(new Renewal(damaged, 1, nonce()), new Renewal(sound, 1, nonce())));

        assertThat(results).containsExactly(RenewResult.LOST, RenewResult.RENEWED);
        assertThat(fixture.raw(damaged.name())).isEqualTo(before);
    }

    @Test
    final void s11_damagedRecordIsReportedAndDoesNotDisturbOtherNames() {
        LeaseName damaged = newName();
        LeaseName sound = newName();
        LeaseName absent = newName();
        grant(damaged, ANNA);
        grant(sound, ANNA);
        fixture.damage(damaged);

        Found found = store.find(List.of(absent, damaged, sound));

        assertThat(found.records()).containsOnlyKeys(sound, absent);
        assertThat(found.unreadable()).containsOnlyKeys(damaged);
        assertThat(found.unreadable().get(damaged)).contains(damaged.value());
        assertThat(recordOf(found, sound).isHeld()).isTrue();
    }

    @Test
    final void s11_damagedRecordIsNotWrittenByAnyOtherOperation() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        fixture.damage(name);
        String before = fixture.raw(name);

        assertRefused(false, () -> store.release(lease));
        assertRefused(false, () -> store.setValue(lease, "changed"));
        assertRefused(AdvanceResult.REFUSED, () -> store.advance(lease, "t", Instant.EPOCH));
        assertRefused(false, () -> abandon(name, lease.attempt()));

        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    private boolean abandon(LeaseName name, AttemptId attempt) {
        store.abandon(name, ANNA, attempt);
        return false;
    }

    /** A store may answer no, or throw: both leave the record alone. */
    private static <A> void assertRefused(A refusal, Supplier<A> operation) {
        try {
            assertThat(operation.get()).isEqualTo(refusal);
        } catch (LeaseStoreException thrown) {
            assertThat(thrown.problem()).isEqualTo(Problem.UNREADABLE);
        }
    }
}
