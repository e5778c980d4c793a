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
import io.camellease.core.LeaseStoreException;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import io.camellease.core.StoreLane;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The store as one simulated process sees it. A call that blocks cannot let virtual time pass, so each is made twice: once to
 * see what is sent, with its outcome thrown away, and once more when its reply is there. Not thread-safe.
 */
final class SimulatedWire implements LeaseStore {

    private record Renewed(Map<Renewal, RenewResult> results) {

        @Override
        public String toString() {
            return results.values().stream().map(RenewResult::name).sorted().collect(Collectors.joining(" "));
        }
    }

    private static final String REHEARSAL = "only to see what is sent";

    private final LeaseStoreException onlyToSee =
            new LeaseStoreException(LeaseStoreException.Problem.UNAVAILABLE, REHEARSAL, null);
    private @Nullable Request sent;
    private @Nullable Reply reply;

    /** Whether this was thrown only to see what a call sends. */
    static boolean isRehearsal(LeaseStoreException thrown) {
        return REHEARSAL.equals(thrown.getMessage());
    }

    /** What the call sends, or null if it has nothing to send. */
    @Nullable
    Request sentBy(StoreLane.Call call) {
        sent = null;
        reply = null;
        call.call();
        return sent;
    }

    /** Makes the call with a reply that is there, and returns what delivers its outcome. */
    Runnable answered(StoreLane.Call call, Reply with) {
        reply = with;
        try {
            return call.call();
        } finally {
            reply = null;
        }
    }

    private Object make(Request request) {
        Reply there = reply;
        if (there != null) {
            return there.get();
        }
        sent = request;
        throw onlyToSee;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        Supplier<String> text = () -> "claim " + claim.attempt() + " of " + claim.name() + " at token "
                + claim.expectedToken() + (claim.observed() ? " observed" : "");
        return (ClaimResult)
                make(new Request(text, List.of(claim.name()), Optional.of(claim), store -> store.claim(claim)));
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        List<Renewal> asked = List.copyOf(renewals);
        List<LeaseName> names = asked.stream().map(each -> each.lease().name()).toList();
        Renewed renewed = (Renewed) make(Request.of(() -> text(asked), names, store -> renewOn(store, asked)));
        // the grant of one may have ended since it was sent: then it is not asked about any more
        return asked.stream()
                .map(each -> Objects.requireNonNull(renewed.results.get(each)))
                .toList();
    }

    private static String text(List<Renewal> renewals) {
        return renewals.stream()
                .map(each -> " " + each.lease().name() + ":" + each.lease().token() + "/" + each.seq())
                .collect(Collectors.joining("", "renew", ""));
    }

    private static Renewed renewOn(LeaseStore store, List<Renewal> renewals) {
        List<RenewResult> results = store.renew(renewals);
        Map<Renewal, RenewResult> byRenewal = new HashMap<>();
        for (int i = 0; i < results.size(); i++) {
            byRenewal.put(renewals.get(i), results.get(i));
        }
        return new Renewed(byRenewal);
    }

    @Override
    public boolean release(Lease lease) {
        Supplier<String> text = () -> "release " + lease.name() + ":" + lease.token();
        return (Boolean) make(Request.of(text, List.of(lease.name()), store -> store.release(lease)));
    }

    @Override
    public void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        make(Request.of(() -> "abandon " + attempt + " of " + name, List.of(name), store -> {
            store.abandon(name, holder, attempt);
            return true;
        }));
    }

    @Override
    public Found find(Collection<LeaseName> names) {
        List<LeaseName> asked = List.copyOf(names);
        return (Found) make(Request.of(() -> "find " + asked, asked, store -> store.find(asked)));
    }

    @Override
    public boolean setValue(Lease lease, String value) {
        throw new UnsupportedOperationException("no elector asks for this");
    }

    @Override
    public AdvanceResult advance(Lease lease, String key, Instant slot) {
        throw new UnsupportedOperationException("no elector asks for this");
    }

    @Override
    public String description() {
        return "the simulated store";
    }

    @Override
    public void close() {}
}
