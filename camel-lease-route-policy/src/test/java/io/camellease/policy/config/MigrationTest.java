/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.camellease.core.LeaseElector;
import io.camellease.policy.LeaseService;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/migration.md says to write instead, in its own text. */
class MigrationTest {

    private static final String CLUSTER = "A cluster service with ClusteredRoutePolicy";

    @TempDir
    Path inbox;

    @TempDir
    Path sources;

    private final Main main = new Main();
    private Readme page;

    @BeforeEach
    void readPage() {
        MemoryLeaseStoreProvider.reset();
        page = new Readme(inbox, "docs/migration.md");
    }

    @AfterEach
    void stop() {
        main.stop();
    }

    private void start(String name, String routes, boolean withPattern) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(page.block(CLUSTER, "properties")));
        if (!withPattern) {
            properties.remove("camel.lease.routes");
        }
        properties.forEach((key, value) -> main.addInitialProperty((String) key, (String) value));
        main.configure().setRoutesIncludePattern("file:" + Files.writeString(sources.resolve(name), routes));
        main.start();
    }

    private void assertHeld(String leaseName) {
        LeaseService leases = main.getCamelContext().hasService(LeaseService.class);
        assertThat(leases.electors())
                .extracting(elector -> elector.name().value())
                .containsExactly(leaseName);
        LeaseElector elector = leases.electors().get(0);
        await().atMost(Duration.ofSeconds(10)).until(() -> elector.lease().isPresent());
    }

    private void assertPolls() throws IOException {
        Path file = Files.writeString(inbox.resolve("order.txt"), "one");
        await().atMost(Duration.ofSeconds(10)).until(() -> Files.notExists(file));
    }

    @Test
    void everyRouteByItsId() throws Exception {
        start("orders.yaml", page.yaml(CLUSTER).replaceAll("(?m)^ *routePolicy.*$", ""), true);

        assertHeld("shop/orders");
        assertPolls();
    }

    @Test
    void routesTogether() throws Exception {
        start("orders.yaml", page.yaml(CLUSTER), false);

        assertHeld("shop/orders");
        assertPolls();
    }

    @Test
    void insteadOfMaster() throws Exception {
        start("orders.xml", page.block("master:", "xml"), false);

        assertHeld("shop/orders");
        assertPolls();
    }

    @Test
    void insteadOfShedLock() throws Exception {
        start("report.yaml", page.yaml("ShedLock"), false);

        assertHeld("shop/report");
    }
}
