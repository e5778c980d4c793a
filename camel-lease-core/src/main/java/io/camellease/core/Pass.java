/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * The answer "you may begin": valid for the instant it was computed at.
 *
 * @param lease under which the work begins
 * @param checkedAt the clock reading that was compared with the end of the lease
 */
public record Pass(Lease lease, Moment checkedAt) {}
