/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStores;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database that wants a password on every connection, by MongoDB's mechanism PLAIN, and whose password can be changed.
 * Thread-safe. Declare it before the cluster, which is to end first.
 */
final class GuardedDatabase implements AfterEachCallback {

    private static final String USER = "orders";
    private static final Set<String> WITHOUT_LOGIN = Set.of("ismaster", "hello", "buildinfo", "ping", "endsessions");

    private final Guard guard = new Guard();
    private final MongoServer server = new MongoServer(guard);
    private final String hosts = server.bindAndGetConnectionString().replace("mongodb://", "");
    private final List<LeaseStore> stores = new CopyOnWriteArrayList<>();
    private volatile String password;

    GuardedDatabase(String password) {
        this.password = password;
    }

    private final class Guard extends MemoryBackend {
        private final Set<Channel> loggedIn = ConcurrentHashMap.newKeySet();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            String word = command.toLowerCase(Locale.ROOT);
            if (word.equals("saslstart")) {
                return logIn(channel, query);
            }
            if (!WITHOUT_LOGIN.contains(word) && !loggedIn.contains(channel)) {
                throw new MongoServerError(13, "Unauthorized", "command " + command + " requires authentication");
            }
            return super.handleCommand(channel, database, command, query);
        }

        private Document logIn(Channel channel, Document query) {
            String given = new String(((BinData) query.get("payload")).getData(), StandardCharsets.UTF_8);
            if (!given.endsWith("\0" + USER + "\0" + password)) {
                refused.incrementAndGet();
                throw new MongoServerError(18, "AuthenticationFailed", "Authentication failed.");
            }
            loggedIn.add(channel);
            return new Document("conversationId", 1)
                    .append("done", true)
                    .append("payload", new BinData(new byte[0]))
                    .append("ok", 1.0);
        }

        private void closeAll() {
            loggedIn.forEach(channel -> channel.close().syncUninterruptibly());
            loggedIn.clear();
        }
    }

    /** From now on another password counts, and whoever is connected must log in again. */
    void changePassword(String next) {
        password = next;
        guard.closeAll();
    }

    /** How often a login was refused. */
    int refused() {
        return guard.refused.get();
    }

    /** The store as it is made of a URI with a password. */
    LeaseStore store(String withPassword, Duration timeout) {
        String uri = "mongodb://" + USER + ":" + withPassword + "@" + hosts + "/?authMechanism=PLAIN";
        LeaseStoreOptions options = new LeaseStoreOptions(
                uri, timeout, Optional.empty(), Optional.empty(), Map.of("database", MongoLinks.DATABASE));
        LeaseStore store =
                LeaseStores.forUri(options, getClass().getClassLoader()).open(options);
        stores.add(store);
        return store;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        stores.forEach(LeaseStore::close);
        server.shutdownNow();
    }
}
