/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock(Engine.REAL)
class DialectProbeTest {

    private final String collection = Engine.newCollection();

    private String chosen(Engine engine, MongoClient client) {
        Place place = new Place(Engine.DATABASE, collection, engine.uri());
        MongoCollection<BsonDocument> records =
                Engine.records(client, collection).withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry());
        Call call = new Call(records, Deadline.in(Engine.TIMEOUT), place);
        return new DialectProbe(engine.dialects(), place).dialect(call).name();
    }

    @Test
    void serverWithoutPipelinesIsSpokenToInTheClassicDialect() {
        Engine engine = Engine.inProcess();
        try (MongoClient client = engine.newClient()) {
            assertThat(chosen(engine, client)).isEqualTo("classic");
        }
    }

    @Test
    void serverWithPipelinesIsSpokenToInThem() {
        Engine engine = Engine.real();
        try (MongoClient client = engine.newClient()) {
            assertThat(chosen(engine, client)).isEqualTo("pipeline");
            Engine.records(client, collection).drop();
        }
    }

    @Test
    void scratchRecordNeitherGrowsNorLooksLikeALease() {
        for (Engine engine : Engine.present()) {
            try (MongoClient client = engine.newClient()) {
                for (int node = 0; node < 5; node++) {
                    chosen(engine, client);
                }
                List<BsonDocument> records =
                        Engine.records(client, collection).find().into(new ArrayList<>());
                Engine.records(client, collection).drop();

                assertThat(records).hasSize(1);
                assertThat(records.get(0).get("_id").isDocument()).isTrue();
                assertThat(records.get(0))
                        .doesNotContainKeys("v", "holder", "token")
                        .hasSizeLessThan(8);
            }
        }
    }

    @Test
    void serverThatUnderstandsNothingIsMisconfigured() {
        Engine engine = Engine.inProcess().in(new PipelineDialect());
        try (LeaseStore store = engine.open(collection)) {
            LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, () -> store.claim(claim()));

            assertThat(thrown.problem()).isEqualTo(Problem.MISCONFIGURED);
            assertThat(thrown).hasMessageContaining("(pipeline)").hasMessageContaining("$$NOW");
        }
    }

    /** One that fails now may be tried again; one that was downgraded would stay so. */
    @ParameterizedTest
    @ValueSource(ints = {91, 10107, 50, 13, 18})
    void serverThatCannotSayIsAskedAgain(int code) {
        Engine engine = Engine.real();
        CommandRecorder recorder = new CommandRecorder();
        try (MongoClient client = recorder.newClient(engine.uri())) {
            LeaseStore store = engine.over(client, collection);
            FailPoint.answering(code, "findAndModify", client, () -> {
                LeaseStoreException thrown =
                        catchThrowableOfType(LeaseStoreException.class, () -> store.claim(claim()));
                assertThat(thrown).isNotNull();
                assertThat(thrown.problem())
                        .isEqualTo(code == 13 || code == 18 ? Problem.MISCONFIGURED : Problem.UNAVAILABLE);
            });
            recorder.clear();

            assertThat(store.claim(claim())).isInstanceOf(ClaimResult.Granted.class);

            assertThat(recorder.sentNames()).contains("findAndModify");
            assertThat(recorder.sent())
                    .noneMatch(command -> command.toJson().contains("\"u\": {\"$set\": {\"holder\""));
            Engine.records(client, collection).drop();
        }
    }

    @Test
    void timeOutOfOneTrialDoesNotRepeatTheOnesBefore() {
        Engine engine = Engine.inProcess();
        Place place = new Place(Engine.DATABASE, collection, engine.uri());
        List<String> tried = new ArrayList<>();
        Dialect slow = new TriedDialect(List.of(
                call -> tried.add("first"),
                call -> {
                    tried.add("second");
                    if (tried.size() == 2) {
                        throw new MongoTimeoutException("slow");
                    }
                    return true;
                },
                call -> tried.add("third")));
        try (MongoClient client = engine.newClient()) {
            Call call = new Call(Engine.records(client, collection), Deadline.in(Engine.TIMEOUT), place);
            DialectProbe probe = new DialectProbe(List.of(slow), place);

            MongoTimeoutException thrown = catchThrowableOfType(MongoTimeoutException.class, () -> probe.dialect(call));
            assertThat(thrown).hasMessageContaining("still finding out").hasMessageContaining("slow");
            assertThat(probe.known()).isEmpty();
            assertThat(probe.dialect(call)).isSameAs(slow);

            assertThat(tried).containsExactly("first", "second", "second", "third");
            assertThat(probe.known()).contains("tried");
        }
    }

    /** Grants and renews nothing. */
    private record TriedDialect(List<Trial> trials) implements Dialect {
        @Override
        public String name() {
            return "tried";
        }

        @Override
        public Optional<LeaseDocument> grant(Call call, Claim claim, Instant now) {
            return Optional.empty();
        }

        @Override
        public int renew(Call call, List<Renewal> renewals) {
            return 0;
        }
    }

    /** The document engine refuses $$NOW in a filter as soon as there is another index; MongoDB does not. */
    @Test
    void collectionWithAnotherIndexWorksOrIsRefusedButNeverGrantsTwice() {
        Engine engine = Engine.real();
        try (MongoClient client = engine.newClient()) {
            Engine.records(client, collection).createIndex(new Document("holder", 1));
            LeaseStore store = engine.over(client, collection);
            try {
                assertThat(store.claim(claim())).isInstanceOf(ClaimResult.Granted.class);
                assertThat(store.claim(claim())).isInstanceOf(ClaimResult.HeldByOther.class);
            } catch (LeaseStoreException refused) {
                assertThat(refused.problem()).isEqualTo(Problem.MISCONFIGURED);
            } finally {
                Engine.records(client, collection).drop();
            }
        }
    }

    private static Claim claim() {
        return new Claim(
                new LeaseName("orders"),
                HolderId.unique("node"),
                AttemptId.unique(),
                0,
                0,
                false,
                Duration.ofMinutes(1),
                "");
    }
}
