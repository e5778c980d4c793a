/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * A node that waits saw that a lease has another holder, or another token, than before.
 *
 * @param lease the lease
 * @param holder the node that holds it
 * @param token its token
 * @param at when it was seen
 */
record Sight(String lease, String holder, long token, long at) {}
