/**
 * What tests need to work with leases: a store in memory, a store that fails on purpose, a time that stands still until told
 * to go on, and the contract that every store must pass.
 *
 * <p>Users start with {@link io.camellease.testkit.MemoryLeaseStoreProvider} (the URI {@code memory:} in unit tests); authors
 * of a store start with {@link io.camellease.testkit.LeaseStoreContract}.
 */
@NullMarked
package io.camellease.testkit;

import org.jspecify.annotations.NullMarked;
