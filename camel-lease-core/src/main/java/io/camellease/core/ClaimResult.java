/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Instant;
import java.util.Map;

/** The store's word on a {@link Claim}. */
public sealed interface ClaimResult {

    /** The store's clock when it answered. */
    Instant storeNow();

    /**
     * The lease is the claimant's.
     *
     * @param lease the proof
     * @param slots what {@link LeaseStore#advance} stored for this name so far, by key; in milliseconds
     * @param storeNow the store's clock when it answered
     */
    record Granted(Lease lease, Map<String, Instant> slots, Instant storeNow) implements ClaimResult {

        public Granted {
            slots = Map.copyOf(slots);
        }
    }

    /**
     * Nothing was changed: somebody holds the lease, or the record moved on after the candidate looked.
     *
     * @param record as it is now; if {@link LeaseRecord#isHeld()} is false, a new claim on what it says may succeed at once
     * @param storeNow the store's clock when it answered
     */
    record HeldByOther(LeaseRecord record, Instant storeNow) implements ClaimResult {}

    /**
     * This attempt was granted before and that grant has been released or has expired: it can never be granted again. The
     * candidate needs a new {@link AttemptId}.
     *
     * @param storeNow the store's clock when it answered
     */
    record Spent(Instant storeNow) implements ClaimResult {}
}
