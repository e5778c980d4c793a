/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.testkit.InMemoryLeaseStore.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock of the store in memory, and what tests can do to its records. */
class InMemoryLeaseStoreTest {

    private static final LeaseName NAME = new LeaseName("orders");
    private static final HolderId ANNA = new HolderId("anna");
    private static final HolderId BERT = new HolderId("bert");
    private static final Duration TTL = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final VirtualTime.Node clock = time.node(0, Duration.ZERO);
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(clock);

    private LeaseRecord look() {
        return store.find(List.of(NAME)).records().get(NAME);
    }

    private ClaimResult claim(HolderId holder) {
        LeaseRecord seen = look();
        return store.claim(new Claim(NAME, holder, AttemptId.unique(), seen.token(), seen.seq(), false, TTL, ""));
    }

    private Lease grant(HolderId holder) {
        return ((ClaimResult.Granted) claim(holder)).lease();
    }

    private RenewResult renew(Lease lease, long seq) {
        return store.renew(List.of(new Renewal(lease, seq, "n"))).get(0);
    }

    @Test
    void grantLastsUntilItsTtlHasPassedOnTheClockOfTheStore() {
        Lease lease = grant(ANNA);

        time.advance(TTL.minusMillis(1));
        assertThat(look().remaining()).isEqualTo(Duration.ofMillis(1));
        assertThat(claim(BERT)).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.RENEWED);

        time.advance(TTL);
        assertThat(look().isHeld()).isFalse();
        assertThat(renew(lease, 2)).isEqualTo(RenewResult.LOST);
        grant(BERT);
    }

    @Test
    void steppingTheClockOfTheStoreMovesEveryExpiry() {
        grant(ANNA);

        clock.stepWall(Duration.ofHours(-1));
        assertThat(look().remaining()).isEqualTo(TTL.plusHours(1));

        clock.stepWall(Duration.ofHours(2));
        assertThat(look().isHeld()).isFalse();
    }

    @Test
    void tokensFollowTheClockAndNeverGoBack() {
        Lease first = grant(ANNA);
        assertThat(first.token().value()).isEqualTo(clock.now().wallMillis());

        clock.stepWall(Duration.ofHours(-1));
        Lease second = grant(ANNA);

        assertThat(second.token().value()).isEqualTo(first.token().value() + 1);
    }

    @Test
    void answersCarryTheClockOfTheStore() {
        time.advance(Duration.ofSeconds(7));
        Instant now = Instant.ofEpochMilli(clock.now().wallMillis());

        assertThat(claim(ANNA).storeNow()).isEqualTo(now);
        assertThat(claim(BERT).storeNow()).isEqualTo(now);
        assertThat(store.find(List.of(NAME)).storeNow()).contains(now);
        assertThat(store.find(List.of(new LeaseName("absent"))).storeNow()).isEmpty();
    }

    @Test
    void expireEndsARunningGrantOnly() {
        store.expire(NAME);
        assertThat(look()).isEqualTo(LeaseRecord.absent(NAME));

        Lease lease = grant(ANNA);
        store.expire(NAME);
        assertThat(look().isHeld()).isFalse();
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);

        time.advance(TTL);
        String before = store.raw(NAME);
        store.expire(NAME);
        assertThat(store.raw(NAME)).isEqualTo(before);
    }

    @Test
    void stealGrantsToAnotherWhateverTheRecordSays() {
        Lease lease = grant(ANNA);

        Lease stolen = store.steal(NAME, BERT, Duration.ofMinutes(2));

        assertThat(stolen.token()).isGreaterThan(lease.token());
        assertThat(look().holder()).contains(BERT);
        assertThat(look().remaining()).isEqualTo(Duration.ofMinutes(2));
        assertThat(renew(lease, 1)).isEqualTo(RenewResult.LOST);
        assertThat(renew(stolen, 1)).isEqualTo(RenewResult.RENEWED);
    }

    @Test
    void wipeForgetsReadableAndDamagedRecords() {
        LeaseName other = new LeaseName("other");
        grant(ANNA);
        store.damage(NAME);
        store.steal(other, ANNA, TTL);

        store.wipe(NAME);
        assertThat(look()).isEqualTo(LeaseRecord.absent(NAME));
        assertThat(store.find(List.of(other)).records().get(other).isHeld()).isTrue();

        store.wipe();
        assertThat(store.find(List.of(other)).records().get(other)).isEqualTo(LeaseRecord.absent(other));
    }

    @Test
    void damagedRecordIsReportedWithWhatToDo() {
        store.damage(NAME);

        Found found = store.find(List.of(NAME));

        assertThat(found.records()).isEmpty();
        assertThat(found.storeNow()).isPresent();
        assertThat(found.unreadable().get(NAME)).contains("orders", "memory", "wipe");
    }

    @Test
    void restoredSnapshotIsTheOldStateUnderANewClock() {
        Lease first = grant(ANNA);
        Snapshot snapshot = store.snapshot();
        time.advance(TTL);
        Lease second = grant(BERT);
        store.damage(new LeaseName("other"));

        store.restore(snapshot);

        assertThat(look().token()).isEqualTo(first.token().value());
        assertThat(store.find(List.of(new LeaseName("other"))).unreadable()).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(grant(ANNA).token()).isGreaterThan(second.token());
    }
}
