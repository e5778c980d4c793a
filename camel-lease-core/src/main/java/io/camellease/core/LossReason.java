/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** Why a holder lost its lease. */
public enum LossReason {
    /** The store refused a renewal: the grant is over, another holder may exist already. */
    REFUSED,
    /** No renewal succeeded until E. */
    EXPIRED
}
