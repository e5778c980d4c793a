/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

/** What the leases need to know of their CamelContext. Thread-safe. */
interface ContextState {

    /** Whether it is up, so that routes may be started and stopped. */
    boolean runs();

    /** Whether an operator suspended it as a whole. */
    boolean isSuspended();
}
