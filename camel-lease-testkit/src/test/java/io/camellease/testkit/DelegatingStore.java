/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** A store that does everything as the one behind, for variants that differ in one method. */
class DelegatingStore implements LeaseStore {

    final InMemoryLeaseStore behind;

    DelegatingStore(InMemoryLeaseStore behind) {
        this.behind = behind;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return behind.claim(claim);
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return behind.renew(renewals);
    }

    @Override
    public boolean release(Lease lease) {
        return behind.release(lease);
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        behind.abandon(name, holder, attempt);
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        return behind.find(names);
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        return behind.setValue(lease, value);
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        return behind.advance(lease, key, slot);
    }

    @Override
    public String description() {
        return behind.description();
    }

    @Override
    public void close() {
        behind.close();
    }
}
