/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

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
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Notes when a node sent what the store said yes to, and passes everything on. Thread-safe. */
final class Wire implements LeaseStore {

    private final LeaseStore next;
    private final Map<LeaseName, Long> newestSuccess = new ConcurrentHashMap<>();
    private final Queue<Write> writes = new ConcurrentLinkedQueue<>();

    /** A call that changes a record, and when it was sent. */
    record Write(LeaseName name, String what, long at) {}

    Wire(LeaseStore next) {
        this.next = next;
    }

    /** When the newest successful claim or renewal was sent, or a little later, by the monotonic clock. */
    long newestSuccess(LeaseName name) {
        Long sentAt = newestSuccess.get(name);
        if (sentAt == null) {
            throw new IllegalStateException("lease '" + name + "' was never granted to this node");
        }
        return sentAt;
    }

    /** What was sent to change that record after that reading of the monotonic clock. */
    List<Write> writesSince(LeaseName name, long nanos) {
        return writes.stream()
                .filter(write -> write.name().equals(name) && write.at() - nanos > 0)
                .toList();
    }

    private void writes(LeaseName name, String what) {
        writes.add(new Write(name, what, System.nanoTime()));
    }

    private void succeeded(Lease lease, long sentAt) {
        newestSuccess.merge(lease.name(), sentAt, Math::max);
    }

    @Override
    public ClaimResult claim(Claim claim) {
        writes(claim.name(), "claim");
        long sentAt = System.nanoTime();
        ClaimResult result = next.claim(claim);
        if (result instanceof ClaimResult.Granted granted) {
            succeeded(granted.lease(), sentAt);
        }
        return result;
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        renewals.forEach(renewal -> writes(renewal.lease().name(), "renew"));
        long sentAt = System.nanoTime();
        List<RenewResult> results = next.renew(renewals);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) == RenewResult.RENEWED) {
                succeeded(renewals.get(i).lease(), sentAt);
            }
        }
        return results;
    }

    @Override
    public boolean release(Lease lease) {
        writes(lease.name(), "release");
        return next.release(lease);
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        writes(name, "abandon");
        next.abandon(name, holder, attempt);
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        return next.find(names);
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        return next.setValue(lease, value);
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        return next.advance(lease, key, slot);
    }

    @Override
    public String description() {
        return next.description();
    }

    @Override
    public void close() {
        next.close();
    }
}
