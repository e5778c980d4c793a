/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C26: what URI or client say about acknowledgement and reading does not matter. */
@ResourceLock(value = Engine.REAL, mode = ResourceAccessMode.READ)
class ConcernsTest {

    private static final Set<String> WRITES = Set.of("update", "insert", "delete", "findAndModify");

    private final LeaseName name = new LeaseName("orders");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "w=1",
                "w=0",
                "w=0&retryWrites=false",
                "w=majority&journal=false&wtimeoutMS=1",
                "readPreference=secondaryPreferred",
                "readPreference=nearest&w=1&readConcernLevel=local",
                "readConcernLevel=available&timeoutMS=0",
                "w=1&readPreference=secondary&maxStalenessSeconds=120"
            })
    void c26_everyCommandGoesToThePrimaryAndAsksForAMajority(String options) {
        for (Engine engine : Engine.present()) {
            CommandRecorder recorder = new CommandRecorder();
            String collection = Engine.newCollection();
            try (MongoClient client = recorder.newClient(withOptions(engine, options))) {
                useEverything(engine.over(client, collection));
                Engine.records(client, collection).drop();
            }

            assertThat(recorder.sentNames()).contains("aggregate", "update");
            recorder.sent().stream()
                    .filter(command -> !Set.of("drop", "endSessions").contains(command.getFirstKey()))
                    .forEach(command -> assertConcerns(command, options));
        }
    }

    private static void assertConcerns(BsonDocument command, String options) {
        BsonString majority = new BsonString("majority");
        String what = options + ": " + command.toJson();
        // Without a read preference the server takes primary; so does the driver.
        assertThat(command.getDocument("$readPreference", new BsonDocument("mode", new BsonString("primary"))))
                .as(what)
                .isEqualTo(new BsonDocument("mode", new BsonString("primary")));
        if (WRITES.contains(command.getFirstKey())) {
            assertThat(command.getDocument("writeConcern")).as(what).isEqualTo(new BsonDocument("w", majority));
        } else {
            assertThat(command.getDocument("readConcern").get("level")).as(what).isEqualTo(majority);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"w=0", "w=0&readPreference=secondary", "w=1&retryWrites=false&readConcernLevel=linearizable"})
    void c26_storeOfItsOwnUriIgnoresThemToo(String options) {
        for (Engine engine : Engine.present()) {
            String collection = Engine.newCollection();
            try (LeaseStore store = MongoLeaseStore.open(Engine.options(withOptions(engine, options), collection))) {
                useEverything(store);
            }
            try (MongoClient client = engine.newClient()) {
                Engine.records(client, collection).drop();
            }
        }
    }

    /** Not a direct connection, over which the driver lets any member of a replica set answer. */
    private static String withOptions(Engine engine, String options) {
        String uri = engine.uri().replaceAll("[?&]?directConnection=true", "");
        String path = uri.substring(uri.indexOf("://") + 3);
        String start = path.contains("?") ? "&" : path.contains("/") ? "?" : "/?";
        return uri + start + "directConnection=false" + (options.isEmpty() ? "" : "&" + options);
    }

    private void useEverything(LeaseStore store) {
        Claim claim = new Claim(name, new HolderId("a"), AttemptId.unique(), 0, 0, false, Duration.ofMinutes(1), "");
        Lease lease = ((ClaimResult.Granted) store.claim(claim)).lease();
        assertThat(store.renew(List.of(new Renewal(lease, 1, "n")))).containsExactly(RenewResult.RENEWED);
        assertThat(store.renew(List.of(new Renewal(lease, 1, "m")))).containsExactly(RenewResult.LOST);
        assertThat(store.setValue(lease, "v")).isTrue();
        store.advance(lease, "k", Instant.EPOCH);
        assertThat(store.find(List.of(name)).records().get(name).value()).isEqualTo("v");
        store.abandon(name, new HolderId("b"), AttemptId.unique());
        assertThat(store.release(lease)).isTrue();
    }
}
