/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryLeaseStoreProviderTest {

    private static final LeaseName NAME = new LeaseName("orders");

    @AfterEach
    void forgetStores() {
        MemoryLeaseStoreProvider.reset();
    }

    private static LeaseStore open(String uri) {
        LeaseStoreOptions options = LeaseStoreOptions.of(uri, Duration.ofSeconds(1));
        LeaseStoreProvider provider = LeaseStores.forUri(options, MemoryLeaseStoreProviderTest.class.getClassLoader());
        return provider.open(options);
    }

    private static ClaimResult claim(LeaseStore store, String holder) {
        return store.claim(
                new Claim(NAME, new HolderId(holder), AttemptId.unique(), 0, 0, false, Duration.ofMinutes(1), ""));
    }

    @Test
    void isFoundByItsSchemeInAnyCase() {
        assertThat(open("memory:orders").description()).isEqualTo("memory:orders");
        assertThat(open("Memory:orders").description()).isEqualTo("memory:orders");
    }

    @Test
    void storesOfOneNameShareTheirRecords() {
        assertThat(claim(open("memory:a"), "anna")).isInstanceOf(ClaimResult.Granted.class);

        assertThat(claim(open("memory:a"), "bert")).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(claim(open("memory:b"), "bert")).isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void uriWithoutNameIsTheDefaultStore() {
        claim(open("memory:"), "anna");

        assertThat(claim(open("memory:default"), "bert")).isInstanceOf(ClaimResult.HeldByOther.class);
    }

    @Test
    void closingAStoreKeepsItsRecords() {
        LeaseStore store = open("memory:a");
        claim(store, "anna");

        store.close();

        assertThat(claim(open("memory:a"), "bert")).isInstanceOf(ClaimResult.HeldByOther.class);
    }

    @Test
    void testsReachTheStoreByItsName() {
        claim(open("memory:a"), "anna");

        MemoryLeaseStoreProvider.named("a").expire(NAME);

        assertThat(open("memory:a").find(List.of(NAME)).records().get(NAME).isHeld())
                .isFalse();
    }

    @Test
    void resetStartsWithoutRecords() {
        claim(open("memory:a"), "anna");

        MemoryLeaseStoreProvider.reset();

        assertThat(claim(open("memory:a"), "bert")).isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void wrongNamesAreRefusedWithTheRule() {
        for (String uri : List.of("memory://orders", "memory:a b", "memory:a?ttl=3s")) {
            assertThatThrownBy(() -> open(uri))
                    .as(uri)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory:orders");
        }
    }

    @Test
    void optionsOfOtherStoresAreIgnored() {
        LeaseStoreOptions options = new LeaseStoreOptions(
                "memory:a",
                Duration.ofSeconds(1),
                Optional.of("user"),
                Optional.of("secret"),
                Map.of("collection", "leases"));

        assertThat(new MemoryLeaseStoreProvider().open(options).description()).isEqualTo("memory:a");
    }

    @Test
    void storeThatATestMadeItselfCanBeGivenAsClient() {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        LeaseStoreOptions options = LeaseStoreOptions.of("", Duration.ofSeconds(1));
        LeaseStoreProvider provider = new MemoryLeaseStoreProvider();

        assertThat(provider.open(store, options)).containsSame(store);
        assertThat(provider.open("something else", options)).isEmpty();
    }

    @Test
    void defaultsAreThoseOfAStoreThatDoesNotFailOver() {
        LeaseStoreProvider provider = new MemoryLeaseStoreProvider();

        assertThat(provider.artifact()).isEqualTo("camel-lease-testkit");
        assertThat(provider.defaultTtl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(provider.failover()).isZero();
    }
}
