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
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** S6 and S7: tokens grow, and time is the store's. */
abstract class TokenContract extends StateContract {

    private static final Duration SHORT_TTL = Duration.ofSeconds(1);

    /** How many grants in a row the token test makes; fewer only for an engine that needs minutes for them. */
    protected int tokenRounds() {
        return 1_000;
    }

    @Test
    final void s6_tokensGrowOverClaimReleaseExpiryAndTakeover() {
        LeaseName name = newName();
        long last = 0;
        for (int round = 0; round < tokenRounds(); round++) {
            Lease lease = grant(name, round % 3 == 0 ? ANNA : BERT);
            assertThat(lease.token().value()).as("round %d", round).isGreaterThan(last);
            last = lease.token().value();
            endGrant(lease, round % 4);
        }
    }

    private void endGrant(Lease lease, int way) {
        switch (way) {
            case 0 -> store.release(lease);
            case 1 -> fixture.expire(lease.name());
            case 2 -> {
                renew(lease, 1);
                store.abandon(lease.name(), lease.holder(), lease.attempt());
            }
            default -> {
                // A later attempt of the same holder ends the grant while it is running.
                Lease later = grant(lease.name(), lease.holder());
                assertThat(later.token()).isGreaterThan(lease.token());
                fixture.expire(lease.name());
            }
        }
    }

    @Test
    final void s6_firstTokenIsTheClockOfTheStore() {
        LeaseName clock = newName("clock");
        grant(clock, ANNA);
        LeaseName name = newName();
        long before = storeNow(clock).toEpochMilli();

        Lease lease = grant(name, ANNA);

        assertThat(lease.token().value()).isBetween(before, storeNow(clock).toEpochMilli());
    }

    @Test
    final void s6_tokenGrowsThoughTheRecordWasLost() {
        LeaseName clock = newName("clock");
        grant(clock, ANNA);
        LeaseName name = newName();
        Lease first = grant(name, ANNA);
        fixture.wipe(name);
        Poll.until(
                "the store's clock goes on",
                patience(),
                () -> storeNow(clock).toEpochMilli() > first.token().value());

        Lease second = grant(name, BERT);

        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    final void s6_releaseExpiryAndRefusalKeepTheRecord() {
        LeaseName name = newName();
        Lease lease = grant(name, ANNA);
        store.release(lease);
        assertThat(look(name).token()).isEqualTo(lease.token().value());

        Lease next = grant(name, BERT);
        fixture.expire(name);
        renew(next, 1);
        assertThat(look(name).token()).isEqualTo(next.token().value());
    }

    /** The only test that waits for a ttl to run out. */
    @Test
    final void s7_grantExpiresWhenItsTtlHasPassedByTheClockOfTheStore() {
        LeaseName clock = newName("clock");
        grant(clock, ANNA);
        LeaseName name = newName();
        Instant before = storeNow(clock);
        Lease lease = granted(store.claim(shortClaim(look(name), ANNA)));

        refused(store.claim(shortClaim(look(name), BERT)));
        Poll.until("the grant expires", patience(), () -> !look(name).isHeld());
        ClaimResult second = store.claim(shortClaim(look(name), BERT));

        granted(second);
        Instant due = before.plus(SHORT_TTL);
        assertThat(second.storeNow()).isAfterOrEqualTo(due).isBefore(due.plus(patience()));
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);
    }

    private static Claim shortClaim(LeaseRecord seen, HolderId holder) {
        return new Claim(seen.name(), holder, AttemptId.unique(), seen.token(), seen.seq(), false, SHORT_TTL, "");
    }
}
