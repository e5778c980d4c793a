/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.client.MongoClient;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Opens a {@link MongoLeaseStore} for {@code mongodb:} and {@code mongodb+srv:} URIs and for a {@link MongoClient}. Thread-safe. */
public final class MongoLeaseStoreProvider implements LeaseStoreProvider {

    private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /**
     * "The median time before a cluster elects a new primary should not typically exceed 12 seconds" with default settings:
     * <a href="https://www.mongodb.com/docs/manual/replication/#automatic-failover">MongoDB manual, Replication</a>.
     */
    private static final Duration FAILOVER = Duration.ofSeconds(12);

    /** For the {@link java.util.ServiceLoader}. */
    public MongoLeaseStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("mongodb", "mongodb+srv");
    }

    @Override
    public String artifact() {
        return "camel-lease-mongodb";
    }

    @Override
    public Duration defaultTtl() {
        return DEFAULT_TTL;
    }

    @Override
    public Duration failover() {
        return FAILOVER;
    }

    @Override
    public LeaseStore open(LeaseStoreOptions options) {
        return MongoLeaseStore.open(options);
    }

    @Override
    public Optional<LeaseStore> open(Object client, LeaseStoreOptions options) {
        return client instanceof MongoClient mongo
                ? Optional.of(MongoLeaseStore.over(mongo, options))
                : Optional.empty();
    }
}
