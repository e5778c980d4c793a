/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** The store's word on one {@link Renewal}. That the store could not say is a {@link LeaseStoreException}. */
public enum RenewResult {
    /** The grant now lasts until the store's now + ttl. */
    RENEWED,
    /** The grant is over: released, expired, taken over, or its record is gone or unreadable. */
    LOST,
    /**
     * This renewal changed nothing although the grant is not over: as a rule because a newer one arrived before it. The holder
     * ignores the answer and renews again soon.
     */
    STALE
}
