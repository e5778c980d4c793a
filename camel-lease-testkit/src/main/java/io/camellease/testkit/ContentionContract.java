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
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** S8: every operation is atomic, however many threads and stores use one record. */
abstract class ContentionContract extends DamagedRecordContract {

    private static final int THREADS = 8;

    /** How often each of the 8 threads takes the lease; fewer only for an engine that needs minutes for them. */
    protected int contentionRounds() {
        return 50;
    }

    @Test
    final void s8_leaseGuardsACounterAgainstLostUpdates() {
        LeaseName name = newName();
        AtomicLong counter = new AtomicLong();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());

        Crew.run(THREADS, patience(), thread -> {
            try (LeaseStore own = fixture.open()) {
                for (int round = 0; round < contentionRounds(); round++) {
                    Lease lease = waitForGrant(own, name, new HolderId("thread-" + thread));
                    tokens.add(lease.token().value());
                    addSlowly(counter);
                    assertThat(own.release(lease)).isTrue();
                }
            }
            return true;
        });

        assertThat(counter).hasValue((long) THREADS * contentionRounds());
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    private Lease waitForGrant(LeaseStore store, LeaseName name, HolderId holder) {
        List<Lease> grants = new ArrayList<>();
        Poll.until("a grant for " + holder, patience(), () -> {
            LeaseRecord seen = look(store, name);
            if (!seen.isHeld() && store.claim(claimOn(seen, holder)) instanceof ClaimResult.Granted granted) {
                grants.add(granted.lease());
            }
            return !grants.isEmpty();
        });
        return grants.get(0);
    }

    /** Loses updates unless the lease keeps the threads apart. */
    private static void addSlowly(AtomicLong counter) {
        long before = counter.get();
        LockSupport.parkNanos(1);
        counter.set(before + 1);
    }

    @Test
    final void s8_oneOfManyClaimsOnOneRecordIsGranted() {
        for (int round = 0; round < contentionRounds(); round++) {
            LeaseName name = newName();
            LeaseRecord seen = look(name);

            List<ClaimResult> results = Crew.run(
                    THREADS, patience(), thread -> store.claim(claimOn(seen, new HolderId("thread-" + thread))));

            assertThat(results)
                    .filteredOn(ClaimResult.Granted.class::isInstance)
                    .hasSize(1);
            assertThat(results)
                    .filteredOn(ClaimResult.HeldByOther.class::isInstance)
                    .hasSize(THREADS - 1);
        }
    }

    @Test
    final void s8_copiesOfOneClaimGetOneGrant() {
        for (int round = 0; round < contentionRounds(); round++) {
            LeaseName name = newName();
            Claim claim = claimOn(look(name), ANNA);

            List<ClaimResult> results = Crew.run(THREADS, patience(), thread -> store.claim(claim));

            Lease lease = granted(results.get(0));
            assertThat(results).allSatisfy(result -> assertThat(granted(result)).isEqualTo(lease));
            assertThat(look(name).token()).isEqualTo(lease.token().value());
        }
    }

    @Test
    final void s8_concurrentRenewalsLeaveTheNewest() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);

        List<RenewResult> results =
                Crew.run(THREADS, patience(), thread -> store.renew(List.of(new Renewal(lease, thread + 1L, nonce())))
                        .get(0));

        assertThat(results).containsAnyOf(RenewResult.RENEWED).doesNotContain(RenewResult.LOST);
        assertThat(results.get(THREADS - 1)).isEqualTo(RenewResult.RENEWED);
        assertThat(look(name).seq()).isEqualTo(THREADS);
    }

    @Test
    final void s8_renewalAndReleaseOfOneGrantDoNotReviveIt() {
        for (int round = 0; round < contentionRounds(); round++) {
            LeaseName name = newName();
            Lease lease = grant(name, ANNA);

            Crew.run(2, patience(), thread -> thread == 0 ? renew(lease, 1) : store.release(lease));

            assertThat(look(name).isHeld()).isFalse();
            assertThat(look(name).released()).isTrue();
        }
    }
}
