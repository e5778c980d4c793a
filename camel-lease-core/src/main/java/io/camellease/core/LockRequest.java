/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Objects;

/**
 * What a caller of {@link LeaseLocks#acquire} wants.
 *
 * @param name what is to be locked
 * @param ttl how long the grant lasts by the store's clock, unless it is renewed; {@link LeaseSettings#MIN_TTL} to
 *     {@link LeaseSettings#MAX_TTL}
 * @param value a note for people, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes of UTF-8
 * @param timeout how long to wait for it: zero for one try, {@link #FOR_EVER} without an end
 */
public record LockRequest(LeaseName name, Duration ttl, String value, Duration timeout) {

    /** The timeout of a caller that waits until it is granted the lock. */
    public static final Duration FOR_EVER = Duration.ofMillis(-1);

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the ttl is out of range, the value too long, or the timeout negative but not -1 ms,
     *     or longer than 365 days
     */
    public LockRequest {
        if (ttl.compareTo(LeaseSettings.MIN_TTL) < 0 || ttl.compareTo(LeaseSettings.MAX_TTL) > 0) {
            throw new IllegalArgumentException("ttl=" + Violations.text(ttl) + " of lock '" + name + "' must be from "
                    + Violations.text(LeaseSettings.MIN_TTL) + " to " + Violations.text(LeaseSettings.MAX_TTL));
        }
        LeaseStore.requireValue(Objects.requireNonNull(value));
        boolean bounded = !timeout.isNegative() && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
        if (!bounded && !timeout.equals(FOR_EVER)) {
            throw new IllegalArgumentException("timeout=" + Violations.text(timeout) + " of lock '" + name
                    + "' must be 0 for one try, -1 to wait for ever, or at most " + LONGEST_TIMEOUT.toDays() + "d");
        }
    }

    /** Whether the caller does not wait. */
    public boolean isOneTry() {
        return timeout.isZero();
    }

    boolean isBounded() {
        return !timeout.isNegative();
    }
}
