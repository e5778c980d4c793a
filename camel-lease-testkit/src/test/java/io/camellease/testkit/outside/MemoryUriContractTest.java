/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.outside;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.testkit.InMemoryLeaseStore;
import io.camellease.testkit.LeaseStoreContract;
import io.camellease.testkit.LeaseStoreFixture;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.time.Duration;

/** A store is tested from a package of its own: what the contract offers there must be enough. */
class MemoryUriContractTest extends LeaseStoreContract {

    @Override
    protected LeaseStoreFixture newFixture() {
        return new Fixture();
    }

    @Override
    protected int tokenRounds() {
        return 100;
    }

    @Override
    protected int contentionRounds() {
        return 10;
    }

    private static final class Fixture implements LeaseStoreFixture {

        private final InMemoryLeaseStore records = MemoryLeaseStoreProvider.named("contract");

        @Override
        public LeaseStore open() {
            return new MemoryLeaseStoreProvider().open(LeaseStoreOptions.of("memory:contract", Duration.ofSeconds(1)));
        }

        @Override
        public void shiftExpiry(LeaseName name, Duration by) {
            records.shiftExpiry(name, by);
        }

        @Override
        public void damage(LeaseName name) {
            records.damage(name);
        }

        @Override
        public void wipe(LeaseName name) {
            records.wipe(name);
        }

        @Override
        public String raw(LeaseName name) {
            return records.raw(name);
        }

        @Override
        public void close() {
            records.wipe();
        }
    }
}
