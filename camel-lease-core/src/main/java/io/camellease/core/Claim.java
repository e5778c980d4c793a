/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Objects;

/**
 * One try to take a lease that looked free.
 *
 * @param name what is claimed
 * @param holder who claims
 * @param attempt the acquisition; the same value whenever this claim is sent again
 * @param expectedToken the token in the record the candidate saw, 0 if there was none
 * @param expectedSeq the renewal number in that record
 * @param observed whether the candidate itself watched token and renewal number stand still for the ttl of that record, on
 *     its own monotonic clock; only then may the store grant a record whose expiry lies further ahead than its own ttl,
 *     which means that the store's clock went back
 * @param ttl how long the grant shall last by the store's clock; positive
 * @param value a note for people, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes of UTF-8
 */
public record Claim(
        LeaseName name,
        HolderId holder,
        AttemptId attempt,
        long expectedToken,
        long expectedSeq,
        boolean observed,
        Duration ttl,
        String value) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the ttl is not positive, or the value is too long
     */
    public Claim {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl " + ttl + " of lease '" + name + "' is not positive");
        }
        LeaseStore.requireValue(Objects.requireNonNull(value));
    }
}
