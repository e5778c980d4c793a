/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static io.camellease.policy.Waiting.soon;
import static io.camellease.policy.Waiting.stays;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.camellease.testkit.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The record of a lease is not what this version writes. */
@CaseTest
class DamagedRecordTest {

    @RegisterExtension
    final MongoLinks links = new MongoLinks();

    @RegisterExtension
    final Cluster cluster = new Cluster();

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "{$set: {expiresAt: '2026-11-29T10:00:00Z'}} , {$unset: {holder: ''}}",
        "{$unset: {expiresAt: ''}}                    , {$unset: {holder: ''}}",
        "{$set: {v: 99}}                              , {$set: {v: 1}}",
    })
    void c12_nobodyRunsTheRouteUntilTheRecordIsRepairedAndOneErrorSaysWhichItIs(String damage, String repair)
            throws Exception {
        Duration timeout = Duration.ofMillis(500);
        TcpProxy link = links.link();
        String id = cluster.lease("orders").value();
        try (MongoClient client = MongoClients.create(MongoLinks.uri(link));
                LogLines log = LogLines.open()) {
            MongoCollection<Document> records =
                    client.getDatabase(MongoLinks.DATABASE).getCollection("leases");
            Node former = cluster.node("former", links.store(link, timeout))
                    .files("orders", directory, () -> {})
                    .start();
            soon().until(() -> former.holds("orders"));
            former.close();
            records.updateOne(Filters.eq(id), Document.parse(damage));
            Document damaged = records.find(Filters.eq(id)).first();

            Feeder.drop(directory, 0, 3);
            Node a = cluster.node("A", links.store(link, timeout))
                    .files("orders", directory, () -> {})
                    .start();
            soon().until(() -> !log.of(Level.ERROR, "'" + id + "'").isEmpty());
            assertThat(a.leases.statuses().get(0).lastError())
                    .hasValueSatisfying(shown -> assertThat(shown).contains(id));
            stays(Duration.ofSeconds(2), () -> !a.holds("orders"));
            assertThat(cluster.journal.begun("A")).isEmpty();
            assertThat(records.find(Filters.eq(id)).first()).isEqualTo(damaged);
            assertThat(log.of(Level.ERROR, "'" + id + "'", MongoLinks.DATABASE + ".leases", "\"_id\": \"" + id + "\""))
                    .hasSize(1);
            assertThat(log.of(Level.ERROR, id)).hasSize(1);

            records.updateOne(Filters.eq(id), Document.parse(repair));
            soon().until(() -> cluster.journal.ended("A").size() == 3);
            assertThat(a.leases.statuses().get(0).lastError()).isEmpty();
        }
    }
}
