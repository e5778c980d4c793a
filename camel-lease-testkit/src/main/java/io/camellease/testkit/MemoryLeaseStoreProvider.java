/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * Serves {@code memory:NAME}, for unit tests of applications: one {@link InMemoryLeaseStore} per name in this JVM, shared by
 * everyone who opens it, so that two contexts of one JVM compete. {@code memory:} alone is the store named {@code default}.
 * User name, password and properties are ignored, so that a test replaces the URI of an application and nothing else.
 * Thread-safe.
 */
public final class MemoryLeaseStoreProvider implements LeaseStoreProvider {

    private static final String SCHEME = "memory";
    private static final String DEFAULT_NAME = "default";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    // Static, because whoever opens the same URI must meet in the same store, like in a database.
    private static final Map<String, InMemoryLeaseStore> STORES = new ConcurrentHashMap<>();

    /** A provider; all of them share the same stores. */
    public MemoryLeaseStoreProvider() {}

    /**
     * The store that {@code memory:NAME} opens.
     *
     * @param name letters, digits, {@code .}, {@code _} and {@code -}
     * @throws IllegalArgumentException if the name has other characters, or none
     */
    public static InMemoryLeaseStore named(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("memory lease store '" + name
                    + "': a name has letters, digits, '.', '_' and '-' only, as in memory:orders");
        }
        return STORES.computeIfAbsent(name, MemoryLeaseStoreProvider::create);
    }

    private static InMemoryLeaseStore create(String name) {
        return new InMemoryLeaseStore(Ticker.system(), SCHEME + ":" + name, new RecordRules(), new ReentrantLock());
    }

    /** Forgets all stores: who opens one from now on starts with no records. Those that are open go on with theirs. */
    public static void reset() {
        STORES.clear();
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public String artifact() {
        return "camel-lease-testkit";
    }

    @Override
    public Duration defaultTtl() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Duration failover() {
        return Duration.ZERO;
    }

    @Override
    public LeaseStore open(LeaseStoreOptions options) {
        if (options.scheme().filter(SCHEME::equals).isEmpty()) {
            throw new IllegalArgumentException("not a memory: URI, but " + options);
        }
        String name = options.uri().substring(SCHEME.length() + 1);
        return named(name.isEmpty() ? DEFAULT_NAME : name);
    }

    /** Opens an {@link InMemoryLeaseStore} that the test made itself. */
    @Override
    public Optional<LeaseStore> open(Object client, LeaseStoreOptions options) {
        return client instanceof InMemoryLeaseStore store ? Optional.of(store) : Optional.empty();
    }
}
