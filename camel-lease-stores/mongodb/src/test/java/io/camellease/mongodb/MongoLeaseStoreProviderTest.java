/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import io.camellease.core.LeaseStoreOptions;
import io.camellease.core.LeaseStoreProvider;
import io.camellease.core.LeaseStores;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoLeaseStoreProviderTest {

    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final String PASSWORD = "s3cret";

    private final LeaseStoreProvider provider = new MongoLeaseStoreProvider();

    private static LeaseStoreOptions options(String uri, Map<String, String> properties) {
        return new LeaseStoreOptions(uri, TIMEOUT, Optional.empty(), Optional.empty(), properties);
    }

    private String description(String uri, Map<String, String> properties) {
        try (LeaseStore store = provider.open(options(uri, properties))) {
            return store.description();
        }
    }

    @Test
    void isFoundByItsSchemes() {
        ClassLoader loader = getClass().getClassLoader();
        for (String uri : List.of("mongodb://a", "mongodb+srv://cluster.lease.test", "MONGODB://a")) {
            assertThat(LeaseStores.forUri(options(uri, Map.of()), loader)).isInstanceOf(MongoLeaseStoreProvider.class);
        }
        assertThat(provider.artifact()).isEqualTo("camel-lease-mongodb");
        assertThat(provider.defaultTtl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(provider.failover()).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void databaseIsThatOfTheOptionElseThatOfTheUriElseCamelLease() {
        assertThat(description("mongodb://a:1,b:2", Map.of())).isEqualTo("MongoDB camel_lease.leases on a:1,b:2");
        assertThat(description("MongoDB://a/shop?w=1", Map.of())).isEqualTo("MongoDB shop.leases on a");
        assertThat(description("mongodb://a/shop", Map.of("database", "jobs", "collection", "locks")))
                .isEqualTo("MongoDB jobs.locks on a");
    }

    @Test
    void unknownOptionIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> description("mongodb://a", Map.of("databse", "x", "table", "y")))
                .withMessageContaining("databse, table")
                .withMessageContaining("database and collection");
    }

    @Test
    void illegalNameIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> description("mongodb://a", Map.of("database", "a b")))
                .withMessageContaining("database='a b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> description("mongodb://a", Map.of("collection", "")))
                .withMessageContaining("collection=''");
    }

    @Test
    void openDoesNotWaitForTheDns() {
        SwitchedDns.hang();
        try {
            assertThat(description("mongodb+srv://cluster.lease.test/shop", Map.of()))
                    .isEqualTo("MongoDB shop.leases on cluster.lease.test");
        } finally {
            SwitchedDns.work();
        }
    }

    @Test
    void clientOfTheCallerIsUsedAndStaysOpen() {
        try (MongoClient client = Engine.inProcess().newClient()) {
            LeaseStore store = provider.open(client, options("", Map.of("database", "jobs")))
                    .orElseThrow();
            assertThat(store.description()).startsWith("MongoDB jobs.leases on 127.0.0.1:");
            store.find(List.of(new LeaseName("orders")));

            store.close();

            assertThat(client.listDatabaseNames()).isNotNull();
            assertThat(store.find(List.of(new LeaseName("orders"))).unreadable())
                    .isEmpty();
        }
    }

    @Test
    void objectOfAnotherKindIsNotItsBusiness() {
        assertThat(provider.open("mongodb://a", options("", Map.of()))).isEmpty();
    }

    @Test
    void credentialsDoNotApplyToAClient() {
        try (MongoClient client = Engine.inProcess().newClient()) {
            LeaseStoreOptions options =
                    new LeaseStoreOptions("", TIMEOUT, Optional.of("app"), Optional.of(PASSWORD), Map.of());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> provider.open(client, options))
                    .withMessageContaining("username and password")
                    .withMessageNotContaining(PASSWORD);
        }
    }

    @Test
    void closedStoreIsUnavailable() {
        LeaseStore store = provider.open(options(Engine.inProcess().uri(), Map.of()));
        store.find(List.of(new LeaseName("orders")));
        store.close();
        store.close();

        LeaseStoreException thrown =
                catchThrowableOfType(LeaseStoreException.class, () -> store.find(List.of(new LeaseName("orders"))));

        assertThat(thrown.problem()).isEqualTo(Problem.UNAVAILABLE);
        assertThat(thrown).hasMessageContaining("closed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    mongodb:a                                    | must look like mongodb://
                    mongodb://                                   | host
                    mongodb://app:s3cret@                        | host
                    mongodb://app:s3cret@a:port                  | port
                    mongodb://app:s3cret@a:99999                 | port
                    mongodb://app:s3cret@x@a                     | percent-encoding
                    mongodb://app:s3:cret@a                      | percent-encoding
                    mongodb://app:s3/s3cret@a                    | percent-encoding
                    mongodb://app:s3?s3cret@a                    | percent-encoding
                    mongodb://app:s3cret%zz@a                    | percent-encoding
                    mongodb://:s3cret@a                          | no user name
                    mongodb://app:s3cret@a/?w                    | '...'
                    mongodb://app:s3cret@a/?readPreference=s3cret | not allowed
                    mongodb://app:s3cret@a/?authMechanism=s3cret | not allowed
                    mongodb://app:s3cret@a/?authMechanism=NONE   | NONE
                    mongodb://app:secret                         | port
                    mongodb+srv://app:s3cret@a:27017             | port
                    mongodb+srv://app:s3cret@a.b.c,d.e.f         | host
                    """)
    void wrongUriIsExplainedWithoutItsCredentials(String uri, String reason) {
        IllegalArgumentException thrown =
                catchThrowableOfType(IllegalArgumentException.class, () -> provider.open(options(uri, Map.of())));

        assertThat(thrown).as(uri).isNotNull();
        assertThat(everythingOf(thrown))
                .doesNotContain(PASSWORD)
                .doesNotContain("app:")
                .doesNotContain(": secret");
        assertThat(thrown).hasMessageContaining(reason);
    }

    /** Authentication fails in another way on each engine; here the server does not know it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?authMechanism=PLAIN", "?authMechanism=SCRAM-SHA-1&authSource=shop"})
    void failedAuthenticationDoesNotTellThePassword(String query) {
        String server =
                Engine.inProcess().uri().substring("mongodb://".length()).replaceAll("/.*", "");

        assertSilent(options("mongodb://app:" + PASSWORD + "@" + server + "/" + query, Map.of()));
        assertSilent(new LeaseStoreOptions(
                "mongodb://" + server + "/" + query, TIMEOUT, Optional.of("app"), Optional.of(PASSWORD), Map.of()));
    }

    @Test
    void unreachableServerDoesNotTellThePassword() {
        assertSilent(options("mongodb://app:" + PASSWORD + "@127.0.0.1:1/shop", Map.of()));
        assertSilent(options("mongodb+srv://app:" + PASSWORD + "@nowhere.lease.invalid/shop", Map.of()));
    }

    private void assertSilent(LeaseStoreOptions options) {
        try (LeaseStore store = provider.open(options)) {
            LeaseStoreException thrown =
                    catchThrowableOfType(LeaseStoreException.class, () -> store.find(List.of(new LeaseName("orders"))));
            assertThat(thrown).isNotNull();
            assertThat(everythingOf(thrown)).doesNotContain(PASSWORD);
            assertThat(store.toString() + store.description()).doesNotContain(PASSWORD);
        }
    }

    private static String everythingOf(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void credentialsOfTheOptionsReplaceThoseOfTheUri() {
        assertThat(credential("mongodb://other:word@a/?authSource=shop", "app", PASSWORD))
                .isEqualTo("app/shop/s3cret");
        assertThat(credential("mongodb://a", "app", PASSWORD)).isEqualTo("app/admin/s3cret");
        assertThat(credential("mongodb://app@a", null, PASSWORD)).isEqualTo("app/admin/s3cret");
        assertThat(credential("mongodb://other:word@a", "app", null)).isEqualTo("app/admin/word");
        assertThat(credential("mongodb://other:w%40rd@a", null, null)).isEqualTo("other/admin/w@rd");
        assertThat(credential("mongodb://a", "a p/p@x", "+ %:/?#[]@\u00e9"))
                .isEqualTo("a p/p@x/admin/+ %:/?#[]@\u00e9");
        assertThat(credential("mongodb+srv://cluster.lease.test", "app", PASSWORD))
                .isEqualTo("app/admin/s3cret");
    }

    private static String credential(String uri, String username, String password) {
        LeaseStoreOptions options = new LeaseStoreOptions(
                uri, TIMEOUT, Optional.ofNullable(username), Optional.ofNullable(password), Map.of());
        var credential = MongoUri.of(options).resolve().getCredential();
        return credential.getUserName() + "/" + credential.getSource() + "/" + new String(credential.getPassword());
    }

    @Test
    void passwordWithoutAUserIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> credential("mongodb://a", null, PASSWORD))
                .withMessageContaining("no user name")
                .withMessageNotContaining(PASSWORD);
    }

    @Test
    void uriOfAClientObjectIsNotNeeded() {
        try (MongoClient client = MongoClients.create("mongodb://127.0.0.1:1")) {
            assertThat(MongoLeaseStore.over(client, options("", Map.of())).description())
                    .isEqualTo("MongoDB camel_lease.leases on 127.0.0.1:1");
        }
    }
}
