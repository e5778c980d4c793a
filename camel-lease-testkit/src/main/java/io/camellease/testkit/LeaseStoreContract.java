/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

/**
 * The test that every {@link io.camellease.core.LeaseStore} must pass: rules S1-S12, each by at least one test whose name
 * begins with the number of the rule. The test of a store extends it and supplies a {@link LeaseStoreFixture}:
 *
 * <pre>{@code
 * class MongoLeaseStoreContractTest extends LeaseStoreContract {
 *     @Override
 *     protected LeaseStoreFixture newFixture() {
 *         return new MongoFixture(CLIENT);
 *     }
 * }
 * }</pre>
 *
 * <p>The sizes of the larger tests can be overridden for a slow engine: {@code tokenRounds}, {@code contentionRounds}, {@code
 * renewalBatch}, {@code findBatch}, {@code patience}.
 *
 * <p>Each test uses names of its own, so that all of them, and several runs at once, can share one collection or table. No
 * test can be overridden. S9 is tested by each store itself: only it knows how to make its database hang.
 */
public abstract class LeaseStoreContract extends ContentionContract {}
