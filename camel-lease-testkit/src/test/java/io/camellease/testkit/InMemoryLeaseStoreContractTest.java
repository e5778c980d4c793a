/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

class InMemoryLeaseStoreContractTest extends LeaseStoreContract {

    @Override
    protected LeaseStoreFixture newFixture() {
        return new InMemoryFixture(new InMemoryLeaseStore());
    }
}
