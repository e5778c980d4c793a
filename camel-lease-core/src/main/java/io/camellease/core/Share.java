/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;

/**
 * How one lease takes part when the leases of a {@link LeaseClient} are spread over the nodes; see {@link
 * LeaseClient#elector(LeaseName, LeaseListener, java.util.function.Supplier, Share)}. Immutable and thread-safe.
 *
 * @param maxLeases how many leases that are spread this client may hold, or be about to be granted, when it claims this one; at
 *     least 1, {@link #UNLIMITED} for any number
 * @param preferredNode label of the node that is to have the lease if it is alive when the lease is claimed; 1 to 150 characters
 *     under the rule of {@link LeaseName}, empty if any node will do
 */
public record Share(int maxLeases, Optional<String> preferredNode) {

    /** No limit to the number of leases. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one breaks the rule above
     */
    public Share {
        if (maxLeases < 1) {
            throw new IllegalArgumentException(
                    "maxLeases=" + maxLeases + " must be at least 1, or not set for no limit");
        }
        preferredNode.ifPresent(HolderId::requireLabel);
    }

    /** Any number of leases, and on any node. */
    public static Share even() {
        return new Share(UNLIMITED, Optional.empty());
    }
}
