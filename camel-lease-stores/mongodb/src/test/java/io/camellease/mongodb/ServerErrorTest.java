/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.client.MongoClient;
import io.camellease.core.AttemptId;
import io.camellease.core.Claim;
import io.camellease.core.ClaimResult;
import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real server's error codes become. */
@ResourceLock(Engine.REAL)
class ServerErrorTest {

    private final LeaseName name = new LeaseName("orders");
    private final String collection = Engine.newCollection();
    private MongoClient client;
    private LeaseStore store;
    private Lease lease;

    @BeforeEach
    void grant() {
        Engine engine = Engine.real();
        client = engine.newClient();
        // Short, because the driver repeats some commands until it is over.
        store = MongoLeaseStore.over(
                client,
                new LeaseStoreOptions(
                        "",
                        Duration.ofSeconds(1),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of("database", Engine.DATABASE, "collection", collection)));
        ClaimResult result = store.claim(firstClaim(new HolderId("anna")));
        assertThat(result).isInstanceOf(ClaimResult.Granted.class);
        lease = ((ClaimResult.Granted) result).lease();
    }

    @AfterEach
    void disconnect() {
        if (client != null) {
            Engine.records(client, collection).drop();
            client.close();
        }
    }

    private Claim firstClaim(HolderId holder) {
        return new Claim(name, holder, AttemptId.unique(), 0, 0, false, Duration.ofMinutes(5), "");
    }

    /** None of the tested servers answers it to a plain upsert, but MongoDB may. */
    @Test
    void c21_duplicateKeyOfTheUpsertMeansThatTheRecordIsThere() {
        FailPoint.answering(11000, "update", client, () -> assertThat(store.claim(firstClaim(new HolderId("bert"))))
                .isInstanceOf(ClaimResult.HeldByOther.class));
    }

    @ParameterizedTest
    @CsvSource({
        "10107, UNAVAILABLE",
        "189, UNAVAILABLE",
        "11602, UNAVAILABLE",
        "91, UNAVAILABLE",
        "64, UNAVAILABLE",
        "50, UNAVAILABLE",
        "112, UNAVAILABLE",
        "16500, UNAVAILABLE",
        "13, MISCONFIGURED",
        "18, MISCONFIGURED",
        "14, MISCONFIGURED",
        "224, MISCONFIGURED"
    })
    void errorOfAnyOperationIsClassifiedByItsCode(int code, Problem problem) {
        FailPoint.answering(code, "update", client, () -> {
            assertFails(code, problem, () -> store.renew(List.of(new Renewal(lease, 1, "n"))));
            assertFails(code, problem, () -> store.release(lease));
            assertFails(code, problem, () -> store.claim(firstClaim(new HolderId("bert"))));
        });
        FailPoint.answering(
                code, "aggregate", client, () -> assertFails(code, problem, () -> store.find(List.of(name))));
    }

    private static void assertFails(int code, Problem problem, Runnable operation) {
        LeaseStoreException thrown = catchThrowableOfType(LeaseStoreException.class, operation::run);
        assertThat(thrown).isNotNull();
        assertThat(thrown.problem()).isEqualTo(problem);
        assertThat(thrown).hasMessageContaining(Engine.DATABASE);
        if (problem == Problem.MISCONFIGURED) {
            assertThat(thrown).hasMessageContaining("code " + code);
        }
    }
}
