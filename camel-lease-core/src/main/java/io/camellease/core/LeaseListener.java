/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** Is told what happens to leases. */
@FunctionalInterface
public interface LeaseListener {

    /**
     * Called in order, one event at a time, on the events thread of the client and outside every lock. Must return soon: it
     * delays the events of all leases of the client, though not their decisions. What it throws is logged and changes nothing.
     */
    void onEvent(LeaseEvent event);
}
