/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;

/**
 * Immutable proof of one grant. Every later operation carries it whole, so that a stale lease can neither renew nor release
 * its successor.
 *
 * @param name what was granted
 * @param holder to whom
 * @param token larger than that of every earlier grant of the name
 * @param attempt the acquisition that was granted
 * @param ttl how long a grant or renewal lasts by the store's clock; positive
 */
public record Lease(LeaseName name, HolderId holder, FencingToken token, AttemptId attempt, Duration ttl) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the ttl is not positive
     */
    public Lease {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl " + ttl + " of lease '" + name + "' is not positive");
        }
    }
}
