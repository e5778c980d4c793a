/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The stored record of one name as a store found it.
 *
 * @param name whose record it is
 * @param token the token of the latest grant, 0 if there never was one
 * @param seq the number of the latest renewal of that grant, 0 before the first
 * @param holder to whom the latest grant went; empty if there never was one
 * @param attempt the acquisition of the latest grant; empty if there never was one
 * @param released whether the latest grant was given back
 * @param remaining time until the latest grant expires by the store's clock; zero if it has expired or was released
 * @param ttl the ttl of the latest grant; zero if there never was one
 * @param value the holder's note for people, empty if none
 * @param acquiredAt when the latest grant was made, by the store's clock; for people, no decision reads it
 */
public record LeaseRecord(
        LeaseName name,
        long token,
        long seq,
        Optional<HolderId> holder,
        Optional<AttemptId> attempt,
        boolean released,
        Duration remaining,
        Duration ttl,
        String value,
        Optional<Instant> acquiredAt) {

    /** A name that was never granted. */
    public static LeaseRecord absent(LeaseName name) {
        return new LeaseRecord(
                name,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                false,
                Duration.ZERO,
                Duration.ZERO,
                "",
                Optional.empty());
    }

    /** Whether somebody holds the lease by the store's clock. */
    public boolean isHeld() {
        return holder.isPresent() && !released && !remaining.isZero();
    }

    /** Whether the given holder is the one of the latest grant. */
    public boolean isGrantOf(HolderId candidate) {
        return holder.filter(candidate::equals).isPresent();
    }
}
