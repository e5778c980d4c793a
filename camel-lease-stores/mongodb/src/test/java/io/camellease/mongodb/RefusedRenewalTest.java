/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static com.mongodb.client.model.Filters.ne;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.IndexOptions;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The server refuses to write one record of a batch, by a rule that somebody gave to the collection. */
@ResourceLock(Engine.REAL)
class RefusedRenewalTest {

    private static final String REFUSED = "refused";

    private final String collection = Engine.newCollection();
    private MongoClient client;
    private LeaseStore store;

    private void open(Engine engine, Dialect dialect) {
        client = engine.newClient();
        store = engine.in(dialect).over(client, collection);
    }

    @AfterEach
    void disconnect() {
        if (client != null) {
            Engine.records(client, collection).drop();
            client.close();
        }
    }

    private void refuseByUniqueIndex() {
        BsonDocument taken = new BsonDocument("_id", new BsonString("taken")).append("nonce", new BsonString(REFUSED));
        Engine.records(client, collection).insertOne(taken);
        Engine.records(client, collection).createIndex(new Document("nonce", 1), new IndexOptions().unique(true));
    }

    private void refuseByValidator() {
        try {
            client.getDatabase(Engine.DATABASE)
                    .runCommand(new Document("collMod", collection).append("validator", ne("nonce", REFUSED)));
        } catch (MongoCommandException unsupported) {
            Assumptions.abort("the server has no validators: " + unsupported.getErrorMessage());
        }
    }

    @Test
    void othersOfTheBatchAreRenewed_inProcess() {
        open(Engine.inProcess(), new ClassicDialect());
        assertThatOthersAreRenewed(this::refuseByUniqueIndex);
    }

    @Test
    void othersOfTheBatchAreRenewed_pipeline() {
        open(Engine.real(), new PipelineDialect());
        assertThatOthersAreRenewed(this::refuseByValidator);
    }

    @Test
    void othersOfTheBatchAreRenewed_classic() {
        open(Engine.real(), new ClassicDialect());
        assertThatOthersAreRenewed(this::refuseByValidator);
    }

    private void assertThatOthersAreRenewed(Runnable rule) {
        List<Lease> leases = List.of(grant("a"), grant("b"), grant("c"), grant("d"));
        assertThat(renew(leases, 1, "a1", "b1", "c1", "d1")).containsOnly(RenewResult.RENEWED);
        rule.run();

        assertThat(renew(leases, 2, "a2", REFUSED, "c2", "d2"))
                .containsExactly(RenewResult.RENEWED, RenewResult.STALE, RenewResult.RENEWED, RenewResult.RENEWED);
        store.release(leases.get(3));
        assertThat(renew(leases, 3, "a3", REFUSED, "c3", "d3"))
                .containsExactly(RenewResult.RENEWED, RenewResult.STALE, RenewResult.RENEWED, RenewResult.LOST);
        assertThat(renew(leases.subList(0, 3), 4, "a4", "b4", "c4")).containsOnly(RenewResult.RENEWED);
    }

    @Test
    void refusalOfTheWholeBatchIsReported() {
        open(Engine.inProcess(), new ClassicDialect());
        List<Lease> leases = List.of(grant("a"), grant("b"));
        assertThat(renew(leases, 1, "a1", "b1")).containsOnly(RenewResult.RENEWED);
        refuseByUniqueIndex();

        LeaseStoreException thrown =
                catchThrowableOfType(LeaseStoreException.class, () -> renew(leases, 2, REFUSED, REFUSED));

        assertThat(thrown.problem()).isEqualTo(Problem.MISCONFIGURED);
        assertThat(thrown).hasMessageContaining("code 11000");
    }

    private Lease grant(String name) {
        Claim claim = new Claim(
                new LeaseName(name), new HolderId("anna"), AttemptId.unique(), 0, 0, false, Duration.ofMinutes(5), "");
        ClaimResult result = store.claim(claim);
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).lease();
    }

    private List<RenewResult> renew(List<Lease> leases, long seq, String... nonces) {
        List<Renewal> renewals = IntStream.range(0, leases.size())
                .mapToObj(i -> new Renewal(leases.get(i), seq, nonces[i]))
                .toList();
        return store.renew(renewals);
    }
}
