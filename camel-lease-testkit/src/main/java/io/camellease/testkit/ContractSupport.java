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
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of {@link LeaseStoreContract} share: a store, fresh names, and the steps that tests are made of. */
abstract class ContractSupport {

    /** Long enough for no grant to run out by itself during a test, short enough for {@code shiftExpiry} to undo. */
    static final Duration TTL = Duration.ofMinutes(5);

    static final HolderId ANNA = new HolderId("node-a#0123456789abcdef");
    static final HolderId BERT = new HolderId("node-b#fedcba9876543210");

    LeaseStoreFixture fixture;
    LeaseStore store;

    /** Makes the fixture of one test. Expensive parts, such as a client or a server, may be shared between fixtures. */
    protected abstract LeaseStoreFixture newFixture();

    /** How long one wait of a test may take before the test fails; longer only for an engine that needs it. */
    protected Duration patience() {
        return Duration.ofMinutes(1);
    }

    @BeforeEach
    final void openStore() {
        fixture = newFixture();
        store = fixture.open();
    }

    @AfterEach
    final void closeStore() {
        store.close();
        fixture.close();
    }

    /** A name that no other test uses, so that tests can share one collection or table. */
    static LeaseName newName() {
        return newName("orders");
    }

    static LeaseName newName(String label) {
        return new LeaseName(label + "-" + UUID.randomUUID());
    }

    final LeaseRecord look(LeaseName name) {
        return look(store, name);
    }

    static LeaseRecord look(LeaseStore store, LeaseName name) {
        Found found = store.find(List.of(name));
        assertThat(found.unreadable()).isEmpty();
        assertThat(found.records()).containsOnlyKeys(name);
        return recordOf(found, name);
    }

    static LeaseRecord recordOf(Found found, LeaseName name) {
        return Objects.requireNonNull(found.records().get(name));
    }

    /** A first send of a new attempt by a candidate that saw the given record. */
    static Claim claimOn(LeaseRecord seen, HolderId holder) {
        return new Claim(seen.name(), holder, AttemptId.unique(), seen.token(), seen.seq(), false, TTL, "");
    }

    static Claim observed(Claim claim) {
        return new Claim(
                claim.name(),
                claim.holder(),
                claim.attempt(),
                claim.expectedToken(),
                claim.expectedSeq(),
                true,
                claim.ttl(),
                claim.value());
    }

    static Claim withValue(Claim claim, String value) {
        return new Claim(
                claim.name(),
                claim.holder(),
                claim.attempt(),
                claim.expectedToken(),
                claim.expectedSeq(),
                claim.observed(),
                claim.ttl(),
                value);
    }

    static Claim withAttempt(Claim claim, AttemptId attempt) {
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

    /** Looks, claims what it saw, and expects the grant. */
    final Lease grant(LeaseName name, HolderId holder) {
        return granted(store.claim(claimOn(look(name), holder)));
    }

    static Lease granted(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).lease();
    }

    static LeaseRecord refused(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.HeldByOther.class);
        return ((ClaimResult.HeldByOther) result).record();
    }

    /** The grant of a holder that lost it by expiry to another one. */
    final Lease takenOver(LeaseName name, HolderId from, HolderId to) {
        Lease stale = grant(name, from);
        fixture.expire(name);
        grant(name, to);
        return stale;
    }

    final RenewResult renew(Lease lease, long seq) {
        return renew(new Renewal(lease, seq, nonce()));
    }

    final RenewResult renew(Renewal renewal) {
        List<RenewResult> results = store.renew(List.of(renewal));
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    static String nonce() {
        return UUID.randomUUID().toString();
    }

    final Instant storeNow(LeaseName existing) {
        return store.find(List.of(existing)).storeNow().orElseThrow();
    }
}
