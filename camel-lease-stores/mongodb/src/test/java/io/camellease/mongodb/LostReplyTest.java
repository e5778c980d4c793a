/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.camellease.core.AdvanceResult;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.RenewResult;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** C28: the server did what it was told, and its reply was lost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(Engine.REAL)
class LostReplyTest {

    private static final HolderId ANNA = new HolderId("anna");

    private final LeaseName name = new LeaseName("orders");
    private String collection = "";
    private Engine engine;
    private MongoClient control;

    @BeforeAll
    void connect() {
        engine = Engine.real();
        control = engine.newClient();
    }

    @AfterAll
    void disconnect() {
        if (control != null) {
            control.close();
        }
    }

    private static Stream<Arguments> clients() {
        return Stream.of(true, false)
                .flatMap(retry -> Stream.of(
                        Arguments.of(Named.of("pipeline", new PipelineDialect()), "findAndModify", retry),
                        Arguments.of(Named.of("classic", new ClassicDialect()), "update", retry)));
    }

    private interface Scenario {
        void play(LeaseStore store);
    }

    private void with(Dialect dialect, boolean retryWrites, Scenario scenario) {
        collection = Engine.newCollection();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(engine.uri()))
                .retryWrites(retryWrites)
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            LeaseStore store = engine.in(dialect).over(client, collection);
            // Makes the record and finds the dialect, so that the next write is the one that matters.
            store.release(granted(store.claim(claim(LeaseRecord.absent(name)))));
            scenario.play(store);
        } finally {
            Engine.records(control, collection).drop();
        }
    }

    @ParameterizedTest(name = "{0} {1} retryWrites={2}")
    @MethodSource("clients")
    void c28_claimSentAgainGetsTheGrantWhoseReplyWasLost(Dialect dialect, String command, boolean retryWrites) {
        with(dialect, retryWrites, store -> {
            Claim claim = claim(look(store));
            losing(command, retryWrites, () -> store.claim(claim));
            long stored = look(store).token();
            ClaimResult again = store.claim(claim);

            assertThat(stored).isGreaterThan(claim.expectedToken());
            assertThat(granted(again).token().value()).isEqualTo(stored);
            assertThat(look(store).seq()).isZero();
            assertThat(store.claim(claim(look(store), new HolderId("bert"))))
                    .isInstanceOf(ClaimResult.HeldByOther.class);
        });
    }

    @ParameterizedTest(name = "{0} {1} retryWrites={2}")
    @MethodSource("clients")
    void c28_grantWhoseReplyWasLostCanBeGivenUp(Dialect dialect, String command, boolean retryWrites) {
        with(dialect, retryWrites, store -> {
            Claim claim = claim(look(store));
            losing(command, retryWrites, () -> store.claim(claim));

            store.abandon(name, ANNA, claim.attempt());

            assertThat(look(store).isHeld()).isFalse();
            assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Spent.class);
        });
    }

    @ParameterizedTest(name = "{0} retryWrites={2}")
    @MethodSource("clients")
    void c28_everyOtherOperationCanBeSentAgain(Dialect dialect, String command, boolean retryWrites) {
        with(dialect, retryWrites, store -> {
            Lease lease = granted(store.claim(claim(look(store))));
            Instant slot = Instant.ofEpochMilli(5);

            losing("update", retryWrites, () -> store.renew(List.of(new Renewal(lease, 1, "n1"))));
            assertThat(store.renew(List.of(new Renewal(lease, 1, "n1")))).containsExactly(RenewResult.RENEWED);
            assertThat(store.renew(List.of(new Renewal(lease, 2, "n2")))).containsExactly(RenewResult.RENEWED);
            losing("update", retryWrites, () -> store.setValue(lease, "v"));
            assertThat(look(store).value()).isEqualTo("v");
            losing("update", retryWrites, () -> store.advance(lease, "k", slot));
            assertThat(store.advance(lease, "k", slot)).isEqualTo(AdvanceResult.ADVANCED);
            losing("update", retryWrites, () -> store.release(lease));
            assertThat(store.release(lease)).isTrue();
        });
    }

    private void losing(String command, boolean retryWrites, Supplier<?> operation) {
        FailPoint.losingReplyOf(command, control, () -> callOrUnknown(retryWrites, operation));
    }

    private static void callOrUnknown(boolean retryWrites, Supplier<?> operation) {
        if (retryWrites) {
            assertThat(operation.get()).isNotNull();
        } else {
            assertUnknown(operation);
        }
    }

    private static void assertUnknown(Supplier<?> operation) {
        LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, operation::get);
        assertThat(thrown).isNotNull();
        assertThat(thrown.problem()).isEqualTo(Problem.UNAVAILABLE);
    }

    private LeaseRecord look(LeaseStore store) {
        return Objects.requireNonNull(store.find(List.of(name)).records().get(name));
    }

    private static Claim claim(LeaseRecord seen) {
        return claim(seen, ANNA);
    }

    private static Claim claim(LeaseRecord seen, HolderId holder) {
        return new Claim(
                seen.name(), holder, AttemptId.unique(), seen.token(), seen.seq(), false, Duration.ofMinutes(5), "");
    }

    private static Lease granted(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        return ((ClaimResult.Granted) result).lease();
    }
}
