/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseStoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mongodb.MongoDBContainer;

/**
 * A server that the tests run against, started at most once per JVM. Each test class works in a collection of its own.
 *
 * @param name for reports
 * @param uri without database
 * @param dialects what stores on it may choose from
 */
record Engine(String name, String uri, List<Dialect> dialects) {

    /** The lock on what tests share outside this JVM: fail points and measurements want it alone. */
    static final String REAL = "real engine";

    static final String GIVEN_URI = "lease.test.mongodb.uri";
    static final String DATABASE = "camel_lease_test";
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final String IMAGE = "mongo:8";
    private static final List<Dialect> ALL = List.of(new PipelineDialect(), new ClassicDialect());

    /** Holders start a server when the first test asks for it. */
    private static final class InProcess {
        static final Engine ENGINE = start();

        private static Engine start() {
            MongoServer server = new MongoServer(new MemoryBackend());
            Engine engine = new Engine("mongo-java-server", server.bindAndGetConnectionString(), ALL);
            EngineReport.ran(engine.name(), "in this JVM, classic dialect");
            return engine;
        }
    }

    private static final class Container {
        static final Optional<Engine> ENGINE = start();

        private static Optional<Engine> start() {
            String name = "MongoDB in a container (" + IMAGE + ")";
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                EngineReport.skipped(name, "no Docker on this machine");
                return Optional.empty();
            }
            // Stopped by Testcontainers when the JVM ends.
            MongoDBContainer container = new MongoDBContainer(IMAGE).withReplicaSet();
            container.start();
            EngineReport.ran(name, "replica set of one node, pipeline and classic dialect");
            return Optional.of(new Engine(name, container.getConnectionString(), ALL));
        }
    }

    /** In process, with classic updates only. */
    static Engine inProcess() {
        return InProcess.ENGINE;
    }

    /** The one that the command line names; aborts the test if it names none. */
    static Engine given() {
        String uri = System.getProperty(GIVEN_URI, "");
        if (uri.isEmpty()) {
            EngineReport.skipped("MongoDB by URI", "-D" + GIVEN_URI + " is not set");
        } else {
            EngineReport.ran("MongoDB by URI", "-D" + GIVEN_URI + " is set, pipeline and classic dialect");
        }
        Assumptions.assumeFalse(uri.isEmpty(), "-D" + GIVEN_URI + " is not set");
        return new Engine("MongoDB by URI", uri, ALL);
    }

    /** In a container; aborts the test if there is no Docker. */
    static Engine container() {
        Assumptions.assumeTrue(Container.ENGINE.isPresent(), "no Docker on this machine");
        return Container.ENGINE.orElseThrow();
    }

    /** A server with pipelines and fail points: the one that the command line names, else the container. */
    static Engine real() {
        return System.getProperty(GIVEN_URI, "").isEmpty() ? container() : given();
    }

    /** All that can be had here. */
    static List<Engine> present() {
        List<Engine> present = new ArrayList<>(List.of(inProcess()));
        if (System.getProperty(GIVEN_URI, "").isEmpty()) {
            Container.ENGINE.ifPresent(present::add);
        } else {
            present.add(given());
        }
        return present;
    }

    /** The same server, spoken to in one dialect only. */
    Engine in(Dialect dialect) {
        return new Engine(name, uri, List.of(dialect));
    }

    MongoClient newClient() {
        return MongoClients.create(uri);
    }

    static String newCollection() {
        return "leases_" + UUID.randomUUID().toString().replace("-", "");
    }

    MongoLeaseStore open(String collection) {
        return MongoStoreOptions.open(options(uri, collection), dialects);
    }

    MongoLeaseStore over(MongoClient client, String collection) {
        return MongoStoreOptions.over(client, options("", collection), dialects);
    }

    static LeaseStoreOptions options(String uri, String collection) {
        return new LeaseStoreOptions(
                uri,
                TIMEOUT,
                Optional.empty(),
                Optional.empty(),
                Map.of("database", DATABASE, "collection", collection));
    }

    static MongoCollection<BsonDocument> records(MongoClient client, String collection) {
        return client.getDatabase(DATABASE).getCollection(collection, BsonDocument.class);
    }
}
