/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterSettings;
import io.camellease.core.LeaseStoreOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a user may set, checked. Stateless. */
final class MongoStoreOptions {

    private static final String DATABASE = "database";
    private static final String COLLECTION = "collection";
    private static final String DEFAULT_DATABASE = "camel_lease";
    private static final String DEFAULT_COLLECTION = "leases";

    private MongoStoreOptions() {}

    /** A store with a client of its own. */
    static MongoLeaseStore open(LeaseStoreOptions options, List<Dialect> dialects) {
        requireKnown(options);
        MongoUri uri = MongoUri.of(options);
        Place place = place(options, uri.database(), uri.hosts());
        OwnClient client = new OwnClient(uri, options.timeout());
        return new MongoLeaseStore(client, place, options.timeout(), uri.secrets(), dialects);
    }

    /** A store over the client of somebody else. */
    static MongoLeaseStore over(MongoClient client, LeaseStoreOptions options, List<Dialect> dialects) {
        requireKnown(options);
        if (options.username().isPresent() || options.password().isPresent()) {
            throw new IllegalArgumentException(
                    "username and password do not apply to a lease store over a MongoClient: they belong to the client");
        }
        Place place = place(options, Optional.empty(), hosts(client));
        return new MongoLeaseStore(ClientSource.borrowed(client), place, options.timeout(), Secrets.none(), dialects);
    }

    private static void requireKnown(LeaseStoreOptions options) {
        Set<String> unknown = new TreeSet<>(options.properties().keySet());
        unknown.removeAll(Set.of(DATABASE, COLLECTION));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("the MongoDB lease store has no option " + String.join(", ", unknown)
                    + "; it has " + DATABASE + " and " + COLLECTION);
        }
    }

    private static Place place(LeaseStoreOptions options, Optional<String> databaseOfUri, String hosts) {
        String database = options.properties().getOrDefault(DATABASE, databaseOfUri.orElse(DEFAULT_DATABASE));
        String collection = options.properties().getOrDefault(COLLECTION, DEFAULT_COLLECTION);
        requireLegal(DATABASE, database, () -> MongoNamespace.checkDatabaseNameValidity(database));
        requireLegal(COLLECTION, collection, () -> MongoNamespace.checkCollectionNameValidity(collection));
        return new Place(database, collection, hosts);
    }

    private static void requireLegal(String option, String value, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    option + "='" + value + "' is not a legal name: " + wrong.getMessage(), wrong);
        }
    }

    private static String hosts(MongoClient client) {
        ClusterSettings settings = client.getClusterDescription().getClusterSettings();
        String srvHost = settings.getSrvHost();
        return srvHost != null
                ? srvHost
                : settings.getHosts().stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
