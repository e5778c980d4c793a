package io.camellease.testkit;

class InMemoryLeaseStoreContractTest extends LeaseStoreContract {

    @Override
    protected LeaseStoreFixture newFixture() {
        return new InMemoryFixture(new InMemoryLeaseStore());
    }
}
