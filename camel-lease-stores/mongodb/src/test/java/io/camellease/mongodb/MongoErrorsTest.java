/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.mongodb.MongoErrors.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoErrorsTest {

    private static final ServerAddress ADDRESS = new ServerAddress("db1", 27017);
    private static final Place PLACE = new Place("shop", "leases", "db1:27017,db2:27017");

    /** One code as the driver may bring it, by command, by server and by driver version. */
    private static List<MongoException> allForms(int code) {
        return List.of(command(code), write(code), writeConcern(code), bulkWrite(code), bulkWriteConcern(code));
    }

    private static MongoCommandException command(int code, String... labels) {
        BsonDocument response = new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("errmsg", new BsonString("said the server"));
        BsonArray errorLabels = new BsonArray();
        Stream.of(labels).map(BsonString::new).forEach(errorLabels::add);
        return new MongoCommandException(response.append("errorLabels", errorLabels), ADDRESS);
    }

    private static MongoWriteException write(int code) {
        return new MongoWriteException(new WriteError(code, "", new BsonDocument()), ADDRESS, Set.of());
    }

    private static MongoWriteConcernException writeConcern(int code) {
        return new MongoWriteConcernException(
                new WriteConcernError(code, "", "", new BsonDocument()),
                WriteConcernResult.acknowledged(1, true, null),
                ADDRESS,
                Set.of());
    }

    private static MongoBulkWriteException bulkWrite(int code) {
        return new MongoBulkWriteException(
                BulkWriteResult.unacknowledged(),
                List.of(new BulkWriteError(code, "", new BsonDocument(), 0)),
                null,
                ADDRESS,
                Set.of());
    }

    private static MongoBulkWriteException bulkWriteConcern(int code) {
        return new MongoBulkWriteException(
                BulkWriteResult.unacknowledged(),
                List.of(),
                new WriteConcernError(code, "", "", new BsonDocument()),
                ADDRESS,
                Set.of());
    }

    @Test
    void c21_duplicateKeyIsKnownByItsCodeInEveryForm() {
        assertThat(List.of(command(11000), write(11000), bulkWrite(11000))).allMatch(MongoErrors::isDuplicateKey);
        assertThat(allForms(112)).noneMatch(MongoErrors::isDuplicateKey);
        assertThat(MongoErrors.isDuplicateKey(new MongoTimeoutException("11000")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1, 6, 7, 50, 64, 89, 91, 100, 112, 117, 134, 189, 217, 262, 9001, 10107, 11600, 11602, 13435, 13436,
                16500
            })
    void codeThatPassesByItself(int code) {
        assertThat(allForms(code)).allMatch(thrown -> MongoErrors.kind(thrown) == Kind.TRANSIENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {18, 8000, 11, 334})
    void codeOfRefusedCredentials(int code) {
        assertThat(allForms(code)).allMatch(thrown -> MongoErrors.kind(thrown) == Kind.CREDENTIALS);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 9, 14, 59, 79, 115, 121, 166, 168, 224, 303, 17276, 40324})
    void codeOfARefusedCommand(int code) {
        assertThat(allForms(code)).allMatch(thrown -> MongoErrors.kind(thrown) == Kind.REFUSED);
    }

    @Test
    void missingRight() {
        assertThat(allForms(13)).allMatch(thrown -> MongoErrors.kind(thrown) == Kind.RIGHTS);
    }

    @Test
    void newCodeThatTheServerMarksAsPassing() {
        assertThat(MongoErrors.kind(command(99999, "RetryableWriteError"))).isEqualTo(Kind.TRANSIENT);
        assertThat(MongoErrors.kind(command(99999))).isEqualTo(Kind.REFUSED);
    }

    private static Stream<RuntimeException> unanswered() {
        MongoSocketReadException cut = new MongoSocketReadException("cut", ADDRESS);
        return Stream.of(
                cut,
                new MongoTimeoutException("no primary"),
                new MongoOperationTimeoutException("late"),
                new MongoExecutionTimeoutException(50, "late"),
                new MongoInterruptedException("interrupted", new InterruptedException()),
                new MongoConfigurationException("Failed looking up SRV record"),
                new MongoSecurityException(credential(), "Exception authenticating", cut),
                new IllegalStateException("state should be: open"));
    }

    @ParameterizedTest
    @MethodSource("unanswered")
    void errorWithoutAnAnswer(RuntimeException thrown) {
        assertThat(MongoErrors.kind(thrown)).isEqualTo(Kind.TRANSIENT);
    }

    @Test
    void authenticationThatTheServerRefused() {
        assertThat(MongoErrors.kind(new MongoSecurityException(credential(), "Exception authenticating", command(18))))
                .isEqualTo(Kind.CREDENTIALS);
        assertThat(MongoErrors.kind(new MongoSecurityException(credential(), "Exception authenticating", command(59))))
                .as("no such command, as it asks for no login")
                .isEqualTo(Kind.CREDENTIALS);
        assertThat(MongoErrors.kind(new MongoSecurityException(credential(), "unsupported mechanism")))
                .isEqualTo(Kind.CREDENTIALS);
        assertThat(MongoErrors.kind(new MongoSecurityException(credential(), "Exception authenticating", command(91))))
                .isEqualTo(Kind.TRANSIENT);
    }

    @Test
    void serverThatIsTooOld() {
        ClusterDescription cluster =
                new ClusterDescription(ClusterConnectionMode.SINGLE, ClusterType.STANDALONE, List.of());

        assertThat(MongoErrors.kind(new MongoIncompatibleDriverException("too old", cluster)))
                .isEqualTo(Kind.REFUSED);
    }

    private static MongoCredential credential() {
        return MongoCredential.createCredential("app", "admin", "s3cret".toCharArray());
    }

    @Test
    void messageNamesOperationPlaceRemedyAndCode() {
        assertThat(translated(command(13)))
                .hasMessageContaining("claim of lease 'orders' in MongoDB shop.leases on db1:27017,db2:27017")
                .hasMessageContaining("find, insert and update on shop.leases")
                .hasMessageContaining("role readWrite on database shop")
                .hasMessageContaining("code 13")
                .hasMessageContaining("said the server")
                .extracting(LeaseStoreException::problem)
                .isEqualTo(Problem.MISCONFIGURED);
        assertThat(translated(command(18)))
                .hasMessageContaining("authSource")
                .extracting(LeaseStoreException::problem)
                .isEqualTo(Problem.MISCONFIGURED);
        assertThat(translated(command(224)))
                .extracting(LeaseStoreException::problem)
                .isEqualTo(Problem.MISCONFIGURED);
        assertThat(translated(command(91)))
                .hasMessageContaining("unknown")
                .extracting(LeaseStoreException::problem)
                .isEqualTo(Problem.UNAVAILABLE);
    }

    @Test
    void causeThatContainsThePasswordIsDropped() {
        Secrets secrets = Secrets.of(Set.of("s3cret"));
        MongoException outer = new MongoException("outer", new IllegalStateException("user:s3cret@db1"));
        MongoException suppressing = new MongoException("outer");
        suppressing.addSuppressed(new IllegalStateException("s3cret"));
        MongoException direct = new MongoException("it was s3cret");

        for (MongoException leaking : List.of(outer, suppressing, direct)) {
            LeaseStoreException thrown = MongoErrors.translate(leaking, "look", PLACE, secrets);
            assertThat(thrown).hasNoCause();
            assertThat(thrown.getMessage()).doesNotContain("s3cret");
        }
        assertThat(MongoErrors.translate(command(91), "look", PLACE, secrets)).hasCauseInstanceOf(MongoException.class);
    }

    private static LeaseStoreException translated(RuntimeException thrown) {
        return MongoErrors.translate(thrown, "claim of lease 'orders'", PLACE, Secrets.none());
    }
}
