/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the provider of a store among the modules on the class path. Thread-safe. */
public final class LeaseStores {

    private static final String SERVICES = "META-INF/services/" + LeaseStoreProvider.class.getName();

    private LeaseStores() {}

    /**
     * The provider that serves the scheme of the URI.
     *
     * @throws IllegalArgumentException if the URI has no scheme, or no module on the class path serves it; the message names
     *     the scheme and what to add, never the URI
     */
    public static LeaseStoreProvider forUri(LeaseStoreOptions options, ClassLoader loader) {
        String scheme = options.scheme()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the lease store has no scheme: it must be a URI such as mongodb://host/database"));
        List<LeaseStoreProvider> known = all(loader);
        return known.stream()
                .filter(provider -> provider.schemes().contains(scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no lease store for the scheme '" + scheme
                        + "' is on the class path: add the module that serves it (camel-lease-mongodb for mongodb:, "
                        + "camel-lease-testkit for memory:). " + found(known)));
    }

    /**
     * Opens a store over a client object of the user.
     *
     * @throws IllegalArgumentException if no module on the class path knows that kind of object
     */
    public static LeaseStore forClient(Object client, LeaseStoreOptions options, ClassLoader loader) {
        List<LeaseStoreProvider> known = all(loader);
        for (LeaseStoreProvider provider : known) {
            Optional<LeaseStore> store = provider.open(client, options);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new IllegalArgumentException(
                "no lease store can work with an object of " + client.getClass().getName() + ". " + found(known));
    }

    private static List<LeaseStoreProvider> all(ClassLoader loader) {
        List<LeaseStoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(LeaseStoreProvider.class, loader).forEach(providers::add);
        return providers;
    }

    private static String found(List<LeaseStoreProvider> known) {
        String found = known.isEmpty()
                ? "No store module was found at all."
                : "Found: "
                        + String.join(
                                ", ",
                                known.stream().map(LeaseStoreProvider::artifact).toList())
                        + ".";
        return found + " If it is there, packed with others into one jar: the packager must merge " + SERVICES;
    }
}
