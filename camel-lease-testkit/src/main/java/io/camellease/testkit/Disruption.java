/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

/** What can go wrong in a simulation apart from single store calls. A run draws which of them it has. */
enum Disruption {
    /** Calls are lost, applied late, applied twice, answered late, or hang. */
    BAD_NETWORK,
    /** No node reaches the store for a while. */
    OUTAGE,
    /** One node does not reach the store for a while. */
    CUT_OFF,
    /** A process stands still for a while; both its clocks go on. */
    PAUSE,
    /** A host stands still for a while; only its wall clock goes on. */
    SUSPEND,
    /** The wall clock of a node is stepped. */
    WALL_STEP,
    /** The store's clock is stepped. */
    STORE_STEP,
    /** The record of a lease is deleted. */
    WIPE,
    /** All records are restored from an older copy. */
    RESTORE,
    /** A process dies, and another starts under the same label. */
    CRASH,
    /** A host is copied while it runs: from now on there are two of the same holder, in the same state. */
    CLONE,
    /** The client of a process is closed without a stop before, and the process ends a little later. */
    CLOSE,
    /** A process ends in good order, and another starts under the same label. */
    GRACEFUL_STOP,
    /** An operator stops a lease on a node, and starts it again later. */
    STOP_START,
    /** An operator gives a lease away. */
    GIVE_AWAY,
    /** Listeners, route starts and exchanges take long. */
    SLOW_ROUTE;

    /** Whether it makes candidates wait one ttl longer, as documented. */
    boolean makesCandidatesWait() {
        return switch (this) {
            case SUSPEND, STORE_STEP, WIPE, RESTORE, GIVE_AWAY -> true;
            case BAD_NETWORK,
                    OUTAGE,
                    CUT_OFF,
                    PAUSE,
                    WALL_STEP,
                    CRASH,
                    CLONE,
                    CLOSE,
                    GRACEFUL_STOP,
                    STOP_START,
                    SLOW_ROUTE -> false;
        };
    }
}
