/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Every example of the page runs; they share a store, and the log. */
@Execution(ExecutionMode.SAME_THREAD)
@Isolated("sets the level of the log and reads it")
class ComponentPageTest {

    private static final String STORE = "component-page";

    @TempDir
    Path directory;

    private final Page page = new Page("docs/component.md");
    private final Main main = new Main();

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        root().addAppender(log);
        // for what the examples log
        root().setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        main.stop();
        root().detachAppender(log);
        root().setLevel(Level.WARN);
    }

    private void start() {
        main.addInitialProperty("camel.lease.store", "memory:" + STORE);
        main.addInitialProperty("camel.lease.application", "shop");
        main.configure().setJmxEnabled(false);
        main.start();
    }

    private void startWith(String file, String routes) throws Exception {
        Path source = Files.writeString(directory.resolve(file), routes);
        main.configure().setRoutesIncludePattern("file:" + source);
        start();
    }

    private static LeaseRecord record(String name) {
        LeaseName whole = new LeaseName("shop/" + name);
        return Objects.requireNonNull(MemoryLeaseStoreProvider.named(STORE)
                .find(List.of(whole))
                .records()
                .get(whole));
    }

    private void assertLeads() {
        soon().until(() -> record("reports").isHeld());
        String line = "leader now, token " + record("reports").token();
        soon().until(() ->
                log.list.stream().anyMatch(event -> event.getFormattedMessage().equals(line)));
        assertThat(main.getCamelContext().getRoutes()).hasSize(1);
    }

    private Exchange countStock() throws Exception {
        long before = record("stock").token();
        Exchange exchange = main.getCamelTemplate().request("direct:stock", empty -> {});
        assertThat(exchange.getException()).isNull();
        assertThat(record("stock").token()).isGreaterThan(before);
        assertThat(record("stock").released()).isTrue();
        return exchange;
    }

    @Test
    void electionsInJava() throws Exception {
        Class<?> routes = page.compile(directory, "Elections in Java", "Leadership");
        main.configure()
                .addRoutesBuilder((RoutesBuilder) routes.getConstructor().newInstance());
        start();

        assertLeads();
    }

    @Test
    void electionsInXml() throws Exception {
        startWith("reports.xml", page.block("Elections in XML", "xml"));

        assertLeads();
    }

    @Test
    void electionsInYaml() throws Exception {
        startWith("reports.yaml", page.block("Elections in YAML", "yaml"));

        assertLeads();
    }

    @Test
    void locksInJava() throws Exception {
        Class<?> routes = page.compile(directory, "Locks in Java", "Stock");
        main.configure()
                .addRoutesBuilder((RoutesBuilder) routes.getConstructor().newInstance());
        start();

        countStock();
    }

    @Test
    void locksInXml() throws Exception {
        startWith("stock.xml", page.block("Locks in XML", "xml"));

        countStock();
    }

    @Test
    void locksInYaml() throws Exception {
        startWith("stock.yaml", page.block("Locks in YAML", "yaml"));

        Exchange exchange = countStock();
        assertThat(exchange.getMessage().getHeader(LeaseHeaders.VALUE)).isEqualTo("counting shelf 7");
    }

    @Test
    void asBeans() throws Exception {
        startWith("requests.yaml", page.block("As beans", "yaml"));
        assertThat(request()).isNull();

        main.getCamelContext().addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("lease:reports?events=lost").routeId("reports").log("lost");
            }
        });

        soon().until(() -> "yes".equals(request()));
    }

    private Object request() throws Exception {
        Exchange exchange = main.getCamelTemplate().request("direct:requests", empty -> {});
        assertThat(exchange.getException()).isNull();
        return exchange.getMessage().getHeader("leader");
    }

    @Test
    void fencingWithMongoDb() throws Exception {
        Method write = page.compile(directory, "Fencing with MongoDB", "FencedDocument")
                .getMethod("write", MongoCollection.class, String.class, Bson.class, long.class);
        MongoServer server = new MongoServer(new MemoryBackend());
        try (MongoClient client = MongoClients.create(server.bindAndGetConnectionString())) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");

            assertThat(write.invoke(null, orders, "1", Updates.set("state", "new"), 5L))
                    .isEqualTo(true);
            assertThat(write.invoke(null, orders, "1", Updates.set("state", "paid"), 5L))
                    .isEqualTo(true);
            assertThat(write.invoke(null, orders, "1", Updates.set("state", "sent"), 7L))
                    .isEqualTo(true);
            assertThat(write.invoke(null, orders, "1", Updates.set("state", "late"), 6L))
                    .isEqualTo(false);
            orders.insertOne(new Document("_id", "2"));
            assertThat(write.invoke(null, orders, "2", Updates.set("state", "new"), 8L))
                    .isEqualTo(true);

            assertThat(orders.find(new Document("_id", "1")).first())
                    .containsEntry("state", "sent")
                    .containsEntry("fence", 7L);
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void fencingWithSql() throws Exception {
        Method write = page.compile(directory, "Fencing with SQL", "FencedRow")
                .getMethod("write", Connection.class, String.class, String.class, long.class);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:fencing")) {
            connection
                    .createStatement()
                    .execute("CREATE TABLE orders (id VARCHAR PRIMARY KEY, state VARCHAR, fence BIGINT NOT NULL)");

            assertThat(write.invoke(null, connection, "1", "new", 5L)).isEqualTo(true);
            assertThat(write.invoke(null, connection, "1", "paid", 5L)).isEqualTo(true);
            assertThat(write.invoke(null, connection, "1", "sent", 7L)).isEqualTo(true);
            assertThat(write.invoke(null, connection, "1", "late", 6L)).isEqualTo(false);

            ResultSet row = connection.createStatement().executeQuery("SELECT state, fence FROM orders");
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("sent");
            assertThat(row.getLong(2)).isEqualTo(7);
        }
    }
}
