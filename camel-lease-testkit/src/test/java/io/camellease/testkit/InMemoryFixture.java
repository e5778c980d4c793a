/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import java.time.Duration;

/** The fixture of the store in memory, whole or broken. */
record InMemoryFixture(InMemoryLeaseStore store) implements LeaseStoreFixture {

    @Override
    public LeaseStore open() {
        return store;
    }

    @Override
    public void shiftExpiry(LeaseName name, Duration by) {
        store.shiftExpiry(name, by);
    }

    @Override
    public void damage(LeaseName name) {
        store.damage(name);
    }

    @Override
    public void wipe(LeaseName name) {
        store.wipe(name);
    }

    @Override
    public String raw(LeaseName name) {
        return store.raw(name);
    }

    @Override
    public void close() {}
}
