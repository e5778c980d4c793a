/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStores;
import io.camellease.testkit.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database that every node reaches by a link of its own. Declare it before the cluster, which is to end first. */
final class MongoLinks implements AfterEachCallback {

    static final String DATABASE = "leases";

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final int port;
    private final List<TcpProxy> links = new CopyOnWriteArrayList<>();
    private final List<LeaseStore> stores = new CopyOnWriteArrayList<>();

    MongoLinks() {
        server.bind();
        port = server.getLocalAddress().getPort();
    }

    TcpProxy link() throws IOException {
        TcpProxy link = new TcpProxy(port);
        links.add(link);
        return link;
    }

    static String uri(TcpProxy link) {
        return "mongodb://" + link.address();
    }

    /** The store as it is made of a URI. */
    LeaseStore store(TcpProxy link, Duration timeout) {
        LeaseStoreOptions options = options(uri(link), timeout);
        LeaseStore store =
                LeaseStores.forUri(options, getClass().getClassLoader()).open(options);
        stores.add(store);
        return store;
    }

    /** The store as it is made of a client of the application. */
    static LeaseStore storeOver(Object client, Duration timeout) {
        return LeaseStores.forClient(client, options("", timeout), MongoLinks.class.getClassLoader());
    }

    private static LeaseStoreOptions options(String uri, Duration timeout) {
        return new LeaseStoreOptions(uri, timeout, Optional.empty(), Optional.empty(), Map.of("database", DATABASE));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        stores.forEach(LeaseStore::close);
        links.forEach(TcpProxy::close);
        server.shutdownNow();
    }
}
