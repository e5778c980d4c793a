/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Contexts of one JVM that share the client of their database, and even the name of their node, are two holders. */
@CaseTest
class SharedClientTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    @RegisterExtension
    final Cluster cluster = new Cluster();

    private final Journal journal = cluster.journal;
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private MongoClient client;
    private Feeder feeder;

    @TempDir
    Path directory;

    @BeforeEach
    void connect() {
        client = MongoClients.create("mongodb://localhost:" + server.bind().getPort());
        feeder = Feeder.every(30, directory);
    }

    @AfterEach
    void disconnect() {
        feeder.close();
        cluster.closeAll();
        client.close();
        server.shutdownNow();
    }

    private Node node(String label) throws Exception {
        Node node = cluster.node(label).ttl(TTL).files("orders", directory, () -> {});
        node.leases.setClient(client);
        node.leases.setNode("twin");
        return node.start();
    }

    @Test
    void c40_twoContextsThatShareAClientAreTwoHoldersAndTheOneThatStopsLeavesTheClientOpen() throws Exception {
        Node a = node("A");
        a.assertFlows("orders");
        Node b = node("B");
        b.assertSilent("orders");

        a.close();
        b.assertFlows("orders");
        b.close();
        Node c = node("C");
        c.assertFlows("orders");

        assertThat(client.listDatabaseNames()).contains("camel_lease");
        journal.assertOneAfterTheOther("A", "B");
        journal.assertOneAfterTheOther("B", "C");
    }

    @Test
    void c40_aContextWhoseThreadsAreInterruptedNeverWorksBesideTheOther() throws Exception {
        ThreadGroup group = new ThreadGroup("c40");
        Node a = cluster.node("A").ttl(TTL).files("orders", directory, () -> {});
        a.leases.setClient(client);
        a.leases.setNode("twin");
        Thread starter = new Thread(group, a::start, "c40-start");
        starter.start();
        starter.join();
        a.assertFlows("orders");
        Node b = node("B");
        b.assertSilent("orders");

        for (int i = 0; i < 5; i++) {
            group.interrupt();
            Waiting.outlast(TTL.dividedBy(5));
        }

        soon().until(() -> a.holds("orders") != b.holds("orders"));
        Node holder = a.holds("orders") ? a : b;
        holder.assertFlows("orders");
        assertThat(Journal.tokens(journal.begun())).isSorted();
    }
}
