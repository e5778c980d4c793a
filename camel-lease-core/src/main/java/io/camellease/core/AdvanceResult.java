/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** The store's word on {@link LeaseStore#advance}. */
public enum AdvanceResult {
    /** The slot is stored, now or by an earlier call under the same token. */
    ADVANCED,
    /** Nothing was changed: the lease is not the caller's, the slot is not later than the stored one, or too far ahead. */
    REFUSED
}
