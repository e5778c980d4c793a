/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.ReplaceOptions;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.FencingToken;
import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults that were reported of other lock libraries, and of ours, on one engine in one dialect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MongoCases {

    private static final Duration TTL = Duration.ofMinutes(5);
    private static final HolderId ANNA = new HolderId("node-a#0123456789abcdef");
    private static final HolderId BERT = new HolderId("node-b#fedcba9876543210");

    private final String collection = Engine.newCollection();
    private Engine engine;
    private MongoClient client;
    private MongoFixture fixture;
    private LeaseStore store;
    private LeaseName name;

    abstract Engine engine();

    @BeforeAll
    void connect() {
        engine = engine();
        client = engine.newClient();
        fixture = new MongoFixture(engine, client, collection);
    }

    @AfterAll
    void disconnect() {
        if (client != null) {
            fixture.records().drop();
            client.close();
        }
    }

    @BeforeEach
    void openStore() {
        store = fixture.open();
        name = new LeaseName("orders-" + UUID.randomUUID());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    // ---- C08: the store is wiped, or restored from a backup

    @Test
    void c08a_recordThatIsGoneEndsTheGrantAndTheNextTokenIsLarger() {
        Lease lost = grant(ANNA);
        fixture.records().drop();

        assertThat(renew(lost)).isEqualTo(RenewResult.LOST);
        assertThat(store.release(lost)).isFalse();
        Lease next = grant(BERT);
        assertThat(next.token()).isGreaterThan(lost.token());
        assertThat(store.claim(claim(LeaseRecord.absent(name), ANNA))).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(fixture.records().countDocuments(eq(name.value()))).isEqualTo(1);
    }

    @Test
    void c08b_olderCopyThatHasExpiredDoesNotTakeTokensBack() {
        grant(ANNA);
        fixture.expire(name);
        BsonDocument backup = fixture.document(name);
        Lease running = grant(ANNA);
        restore(backup);

        assertThat(renew(running)).isEqualTo(RenewResult.LOST);
        assertThat(grant(BERT).token()).isGreaterThan(running.token());
    }

    @Test
    void c08c_olderCopyThatIsHeldByAnotherEndsTheGrant() {
        Lease older = grant(BERT);
        BsonDocument backup = fixture.document(name);
        store.release(older);
        Lease running = grant(ANNA);
        restore(backup);

        assertThat(renew(running)).isEqualTo(RenewResult.LOST);
        assertThat(store.release(running)).isFalse();
        assertThat(store.claim(claim(look(), ANNA))).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(look().holder()).contains(BERT);
    }

    private void restore(BsonDocument backup) {
        fixture.records()
                .replaceOne(new BsonDocument("_id", backup.get("_id")), backup, new ReplaceOptions().upsert(true));
    }

    // ---- C10: records that an earlier version wrote

    /** Records as each version so far wrote them, one file a version. Never change one: add the next. */
    private static final List<String> VERSIONS = List.of("records-v1.json");

    private static List<BsonDocument> recordsOf(String version) {
        try (InputStream in = MongoCases.class.getResourceAsStream(version)) {
            String text = new String(Objects.requireNonNull(in, version).readAllBytes(), StandardCharsets.UTF_8);
            return BsonArray.parse(text).stream().map(BsonValue::asDocument).toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void insert(BsonDocument record) {
        name = new LeaseName(record.getString("_id").getValue());
        restore(record);
    }

    @Test
    void c10_recordsOfEveryVersionAreClaimedRenewedAndReleased() {
        for (String version : VERSIONS) {
            for (BsonDocument record : recordsOf(version)) {
                insert(record);
                LeaseRecord seen = look();
                assertThat(seen.isHeld()).as("%s, long after", record).isFalse();
                assertThat(seen.token()).isEqualTo(record.getInt64("token").getValue());

                Lease lease = grant(BERT);
                assertThat(lease.token().value()).isGreaterThan(seen.token());
                assertThat(renew(lease)).isEqualTo(RenewResult.RENEWED);
                assertThat(store.release(lease)).isTrue();
                assertThat(fixture.document(name).getDocument("slots")).isEqualTo(record.getDocument("slots"));
            }
        }
    }

    /** Nodes of two versions that share a lease: the newer one must see that the older one holds it. */
    @Test
    void c10_grantOfAnEarlierVersionIsRespected() {
        for (String version : VERSIONS) {
            List<BsonDocument> held = recordsOf(version).stream()
                    .filter(record -> record.containsKey("holder")
                            && !record.getBoolean("released").getValue())
                    .toList();
            assertThat(held).isNotEmpty();
            for (BsonDocument record : held) {
                BsonDocument running = record.clone();
                running.put("expiresAt", new BsonDateTime(System.currentTimeMillis() + TTL.toMillis()));
                insert(running);
                LeaseRecord seen = look();

                assertThat(seen.isHeld()).isTrue();
                assertThat(seen.holder())
                        .contains(new HolderId(record.getString("holder").getValue()));
                assertThat(store.claim(claim(seen, BERT))).isInstanceOf(ClaimResult.HeldByOther.class);
                Lease theirs = new Lease(
                        name,
                        seen.holder().orElseThrow(),
                        new FencingToken(seen.token()),
                        seen.attempt().orElseThrow(),
                        seen.ttl());
                assertThat(store.renew(List.of(new Renewal(theirs, seen.seq() + 1, "n"))))
                        .containsExactly(RenewResult.RENEWED);
                assertThat(store.release(theirs)).isTrue();
            }
        }
    }

    /** So that nodes of the version before can read it. A field that is new needs a version of its own. */
    @Test
    void c10_recordOfThisVersionHasTheFieldsAndTypesOfTheFixture() {
        BsonDocument written = recordsOf(VERSIONS.get(VERSIONS.size() - 1)).stream()
                .filter(record -> record.containsKey("holder"))
                .findFirst()
                .orElseThrow();
        Lease lease = grant(ANNA);
        renew(lease);

        assertThat(types(fixture.document(name))).isEqualTo(types(written));
    }

    private static Map<String, BsonType> types(BsonDocument record) {
        Map<String, BsonType> types = new TreeMap<>();
        record.forEach((field, value) -> types.put(field, value.getBsonType()));
        return types;
    }

    // ---- C12: records of unknown or damaged shape

    @Test
    void c12a_unknownFieldsSurviveEveryOperation() {
        store.release(grant(ANNA));
        fixture.edit(name, combine(set("team", "billing"), set("nested", new BsonDocument("a", new BsonDocument()))));

        Lease lease = grant(BERT);
        renew(lease);
        store.setValue(lease, "note");
        store.advance(lease, "k", look().acquiredAt().orElseThrow());
        store.release(lease);
        grant(ANNA);

        assertThat(fixture.document(name).getString("team").getValue()).isEqualTo("billing");
        assertThat(fixture.document(name).getDocument("nested")).isEqualTo(BsonDocument.parse("{a: {}}"));
    }

    @Test
    void c12b_expiryThatIsATextIsUnreadable() {
        assertUnreadable(set("expiresAt", "2026-11-29T10:00:00Z"), "'expiresAt' is of type STRING");
    }

    @Test
    void c12c_missingExpiryOfAHolderIsUnreadable() {
        assertUnreadable(unset("expiresAt"), "'expiresAt' is missing");
    }

    @Test
    void c12d_recordWithoutAHolderIsFree() {
        Lease before = grant(ANNA);
        for (Bson damage :
                List.of(unset("holder"), set("holder", null), combine(unset("holder"), unset("expiresAt")))) {
            fixture.edit(name, damage);
            assertThat(look().isHeld()).isFalse();
            Lease lease = grant(BERT);
            assertThat(lease.token()).isGreaterThan(before.token());
            before = lease;
        }
    }

    @Test
    void c12e_newerSchemaIsUnreadable() {
        assertUnreadable(set("v", 99), "'v' is 99");
        assertUnreadable(unset("v"), "'v' is missing");
    }

    @Test
    void c12_otherDamageIsUnreadable() {
        assertUnreadable(set("token", "7"), "'token' is of type STRING");
        assertUnreadable(set("token", 7.5), "'token' is 7.5");
        assertUnreadable(set("token", -1L), "'token' is -1");
        assertUnreadable(set("token", 0L), "'token' is 0");
        assertUnreadable(unset("token"), "'token' is missing");
        assertUnreadable(set("seq", "1"), "'seq' is of type STRING");
        assertUnreadable(set("holder", 5), "'holder' is of type INT32");
        assertUnreadable(set("holder", ""), "'holder'");
        assertUnreadable(unset("attempt"), "'attempt' is missing");
        assertUnreadable(set("ttl", "30s"), "'ttl' is of type STRING");
        assertUnreadable(set("ttl", 0), "'ttl' is 0");
        assertUnreadable(unset("released"), "'released' is missing");
    }

    /** Held or expired: nobody gets it, nothing changes it, and the message says where it is. */
    private void assertUnreadable(Bson damage, String reason) {
        name = new LeaseName("orders-" + UUID.randomUUID());
        Lease lease = grant(ANNA);
        LeaseRecord seen = look();
        fixture.edit(name, damage);
        assertLeftAlone(lease, seen, reason);

        name = new LeaseName("orders-" + UUID.randomUUID());
        Lease expired = grant(ANNA);
        LeaseRecord last = look();
        fixture.expire(name);
        fixture.edit(name, damage);
        assertLeftAlone(expired, last, reason);
    }

    private void assertLeftAlone(Lease lease, LeaseRecord seen, String reason) {
        String before = fixture.raw(name);

        assertThat(renew(lease)).as(reason).isEqualTo(RenewResult.LOST);
        assertReported(seen, reason);
        assertThat(fixture.raw(name)).isEqualTo(before);
    }

    private void assertReported(LeaseRecord seen, String reason) {
        Found found = store.find(List.of(name));
        assertThat(found.records()).isEmpty();
        assertThat(found.unreadable().get(name))
                .contains(reason)
                .contains(Engine.DATABASE + "." + collection)
                .contains("{\"_id\": \"" + name + "\"}")
                .containsAnyOf("set it to", "remov", "update");
        for (HolderId holder : List.of(ANNA, BERT)) {
            LeaseStoreException thrown =
                    catchThrowableOfType(LeaseStoreException.class, () -> store.claim(claim(seen, holder)));
            assertThat(thrown).as(reason).isNotNull();
            assertThat(thrown.problem()).isEqualTo(Problem.UNREADABLE);
            assertThat(thrown).hasMessageContaining(reason);
        }
    }

    @Test
    void c12_damagedStateIsNotHandedOverButDoesNotStopItsHolder() {
        Lease lease = grant(ANNA);
        LeaseRecord seen = look();

        fixture.edit(name, set("slots", "none"));
        assertReported(seen, "'slots' is of type STRING");
        assertThat(renew(lease)).isEqualTo(RenewResult.RENEWED);
        fixture.expire(name);
        assertReported(seen, "'slots' is of type STRING");
        fixture.edit(name, set("slots", BsonDocument.parse("{k: {token: 1}}")));
        assertReported(seen, "'at' is missing");
    }

    @Test
    void c12_recordIsRepairedByRemovingItsHolder() {
        Lease before = grant(ANNA);
        fixture.edit(name, set("expiresAt", "2026-11-29T10:00:00Z"));
        fixture.edit(name, unset("holder"));

        assertThat(grant(BERT).token()).isGreaterThan(before.token());
    }

    @Test
    void c12f_tokenOfAnotherNumberTypeIsTheSameToken() {
        grant(ANNA);
        fixture.expire(name);
        for (Object token : List.of(7, 8.0, 9L)) {
            fixture.edit(name, combine(set("token", token), set("seq", 0.0), set("v", 1.0)));
            assertThat(look().token()).isEqualTo(((Number) token).longValue());

            Lease lease = grant(BERT);
            assertThat(lease.token().value()).isGreaterThan(9);
            assertThat(fixture.document(name).isInt64("token")).isTrue();
            fixture.expire(name);
        }
    }

    @Test
    void c12f_grantWhoseNumbersBecameDoublesIsStillRenewed() {
        Lease lease = grant(ANNA);
        fixture.edit(name, combine(set("token", (double) lease.token().value()), set("seq", 0.0), set("ttl", (double)
                TTL.toMillis())));

        assertThat(renew(lease)).isEqualTo(RenewResult.RENEWED);
        assertThat(store.release(lease)).isTrue();
    }

    // ---- C21: the first claim on a fresh collection

    @Test
    void c21_oneOfManyFirstClaimsIsGrantedAndNoneFails() throws Exception {
        int threads = 32;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 10; round++) {
                String fresh = Engine.newCollection();
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Callable<ClaimResult>> claims = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    HolderId holder = new HolderId("node-" + i);
                    claims.add(() -> {
                        try (LeaseStore own = engine.over(client, fresh)) {
                            start.await();
                            return own.claim(claim(LeaseRecord.absent(name), holder));
                        }
                    });
                }
                List<ClaimResult> results = new ArrayList<>();
                for (Future<ClaimResult> future : pool.invokeAll(claims)) {
                    results.add(future.get());
                }
                Engine.records(client, fresh).drop();

                assertThat(results)
                        .filteredOn(ClaimResult.Granted.class::isInstance)
                        .hasSize(1);
                assertThat(results)
                        .filteredOn(ClaimResult.HeldByOther.class::isInstance)
                        .hasSize(threads - 1);
            }
        } finally {
            pool.shutdown();
        }
    }

    // ---- C22: standbys

    @Test
    void c22_standbysWriteNothingWhileTheLeaseIsHeld() {
        grant(ANNA);
        CommandRecorder recorder = new CommandRecorder();
        try (MongoClient standbys = recorder.newClient(engine.uri())) {
            List<LeaseStore> stores = List.of(
                    engine.over(standbys, collection),
                    engine.over(standbys, collection),
                    engine.over(standbys, collection));
            stores.forEach(this::probeDialect);
            String before = fixture.raw(name);
            recorder.clear();

            for (int round = 0; round < 20; round++) {
                for (LeaseStore standby : stores) {
                    LeaseRecord seen = look(standby, name);
                    assertThat(standby.claim(claim(seen, BERT))).isInstanceOf(ClaimResult.HeldByOther.class);
                }
            }

            System.out.printf(
                    "C22 %s: 60 looks and 60 refused claims sent %s%n", engine.name(), count(recorder.sentNames()));
            assertThat(recorder.sentNames()).containsOnly("aggregate");
            assertThat(recorder.written()).isEmpty();
            assertThat(recorder.failed()).isEmpty();
            assertThat(fixture.raw(name)).isEqualTo(before);
        }
    }

    private void probeDialect(LeaseStore standby) {
        assertThat(standby.claim(claim(LeaseRecord.absent(name), BERT))).isInstanceOf(ClaimResult.HeldByOther.class);
    }

    @Test
    void c22_lookingSendsOneReadAndNothingElse() {
        grant(ANNA);
        CommandRecorder recorder = new CommandRecorder();
        try (MongoClient standby = recorder.newClient(engine.uri())) {
            LeaseStore own = engine.over(standby, collection);

            look(own, name);

            assertThat(recorder.sentNames()).containsExactly("aggregate");
        }
    }

    // ---- C73: tokens

    @Test
    void c73_tokensGrowOverAThousandGrants() {
        long last = 0;
        for (int round = 0; round < 1000; round++) {
            Lease lease = grant(round % 2 == 0 ? ANNA : BERT);
            assertThat(lease.token().value()).as("round %d", round).isGreaterThan(last);
            last = lease.token().value();
            if (round % 3 != 0) {
                store.release(lease);
            } else if (round % 2 == 0) {
                fixture.expire(name);
            } else {
                fixture.edit(name, unset("holder"));
            }
        }
    }

    // ---- how many commands a batch takes

    @Test
    void batchesOfAThousandLeasesTakeAHandfulOfCommands() {
        CommandRecorder recorder = new CommandRecorder();
        try (MongoClient counted = recorder.newClient(engine.uri())) {
            LeaseStore own = engine.over(counted, collection);
            List<Lease> leases = IntStream.range(0, 1000)
                    .mapToObj(i -> granted(own.claim(claim(LeaseRecord.absent(new LeaseName(name + "/" + i)), ANNA))))
                    .toList();

            recorder.clear();
            List<RenewResult> renewed = own.renew(
                    leases.stream().map(lease -> new Renewal(lease, 1, "n")).toList());
            List<String> renewing = List.copyOf(recorder.sentNames());
            recorder.clear();
            own.release(leases.get(17));
            List<RenewResult> oneLost = own.renew(
                    leases.stream().map(lease -> new Renewal(lease, 2, "n")).toList());
            List<String> withOneLost = List.copyOf(recorder.sentNames());
            recorder.clear();
            Found found = own.find(leases.stream().map(Lease::name).toList());

            System.out.printf(
                    "Batch %s: 1000 renewals %s, with one lost %s, 1000 looks %s%n",
                    engine.name(), count(renewing), count(withOneLost), count(recorder.sentNames()));
            assertThat(renewed).containsOnly(RenewResult.RENEWED);
            assertThat(Collections.frequency(oneLost, RenewResult.LOST)).isEqualTo(1);
            assertThat(oneLost.get(17)).isEqualTo(RenewResult.LOST);
            assertThat(found.records()).hasSize(1000);
            assertThat(Collections.frequency(renewing, "update")).isEqualTo(4);
            assertThat(recorder.sentNames()).containsExactly("aggregate");
        }
    }

    private static List<String> count(List<String> commands) {
        return commands.stream()
                .distinct()
                .map(command -> command + " x " + Collections.frequency(commands, command))
                .toList();
    }

    private LeaseRecord look() {
        return look(store, name);
    }

    private static LeaseRecord look(LeaseStore store, LeaseName name) {
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    private static Claim claim(LeaseRecord seen, HolderId holder) {
        return new Claim(seen.name(), holder, AttemptId.unique(), seen.token(), seen.seq(), false, TTL, "");
    }

    private Lease grant(HolderId holder) {
        return granted(store.claim(claim(look(), holder)));
    }

    private static Lease granted(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).lease();
    }

    private RenewResult renew(Lease lease) {
        return store.renew(List.of(new Renewal(lease, 1, UUID.randomUUID().toString())))
                .get(0);
    }
}
