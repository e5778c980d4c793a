/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseState;

/** What a node is to a lease. */
public enum LeaseRole {
    /** It holds the lease, usable or not. */
    HOLDER,
    /** It waits for the lease. */
    STANDBY,
    /** It does not want the lease: no route of it is wanted here, or the context is not up. */
    NONE;

    /** What a node in that state is. */
    static LeaseRole in(LeaseState state) {
        return switch (state) {
            case HELD, AT_RISK, SUSPENDED, DRAINING -> HOLDER;
            case WAITING -> STANDBY;
            case STOPPED -> NONE;
        };
    }
}
