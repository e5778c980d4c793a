/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * Where a node stands with one lease.
 *
 * <pre>
 *  STOPPED -start- WAITING -granted- HELD -a renewal fails- AT_RISK -U passes- SUSPENDED
 *                     |               |  (a renewal succeeds: back to HELD, same token)  |
 *                     |               +---- asked to stop or to give away: DRAINING -----+
 *                     +--- E passes, or the store refuses a renewal (from any of them) --+
 * </pre>
 */
public enum LeaseState {
    /** Not a candidate. */
    STOPPED,
    /** A candidate, or one as soon as its work under an earlier token has ended. */
    WAITING,
    /** Holds the lease, and the newest renewal succeeded. */
    HELD,
    /** Holds the lease; the newest renewal has an unknown outcome, or a clock jumped. */
    AT_RISK,
    /** Past U: holds the lease but begins no work; a renewal before E resumes it. */
    SUSPENDED,
    /** Asked to stop: holds and renews the lease until its work has ended, then releases it. */
    DRAINING;

    /** Whether a grant exists in this state. */
    public boolean hasGrant() {
        return this != STOPPED && this != WAITING;
    }
}
