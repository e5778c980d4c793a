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
import java.util.List;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example of the README runs: a file that is dropped into the directory is taken by the node that holds the lease. */
class ReadmeTest {

    @TempDir
    Path directory;

    @TempDir
    Path sources;

    private Readme readme;
    private Main main;

    @BeforeEach
    void fresh() {
        MemoryLeaseStoreProvider.reset();
        readme = new Readme(directory);
        main = new Main();
    }

    @AfterEach
    void stop() {
        main.stop();
    }

    private void startWith(String name, String routes) throws Exception {
        Path file = Files.writeString(sources.resolve(name), routes);
        main.configure().setRoutesIncludePattern("file:" + file);
        main.start();
    }

    private void properties(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        properties.forEach((key, value) -> main.addInitialProperty((String) key, (String) value));
    }

    private void assertThatItWorks(CamelContext context, String leaseName) throws IOException {
        Path file = Files.writeString(directory.resolve("order-1.txt"), "one");

        await().atMost(Duration.ofSeconds(10)).until(() -> Files.notExists(file));
        List<LeaseElector> electors = context.hasService(LeaseService.class).electors();
        assertThat(electors).extracting(elector -> elector.name().value()).containsExactly(leaseName);
        assertThat(electors.get(0).lease()).isPresent();
    }

    @Test
    void theFirstScreen() throws Exception {
        properties(readme.block("Camel Lease", "properties"));
        startWith("orders.yaml", readme.yaml("Camel Lease"));

        assertThatItWorks(main.getCamelContext(), "shop/orders");
    }

    @Test
    void javaRoutes() throws Exception {
        properties(readme.block("Camel Lease", "properties"));
        Class<?> routes = JavaSource.compile(sources, "OrderRoutes", readme.block("Java", "java"));
        main.configure()
                .addRoutesBuilder((RoutesBuilder) routes.getConstructor().newInstance());
        main.start();

        assertThatItWorks(main.getCamelContext(), "shop/orders");
    }

    @Test
    void xmlRoutesAndBeans() throws Exception {
        startWith("orders.xml", readme.block("XML", "xml"));

        assertThatItWorks(main.getCamelContext(), "shop/orders");
    }

    @Test
    void yamlRoutesAndBeans() throws Exception {
        properties(readme.block("Camel Lease", "properties"));
        startWith("orders.yaml", readme.yaml("YAML"));

        assertThatItWorks(main.getCamelContext(), "shop/files");
    }

    @Test
    void routesByPattern() throws Exception {
        properties(readme.block("Camel Lease", "properties"));
        properties(readme.block("Properties", "properties"));
        String feed = """
                - route:
                    id: feed
                    group: feeds
                    autoStartup: false
                    from:
                      uri: timer:feed
                      steps:
                        - to: log:feed
                """;
        String routes = readme.yaml("Camel Lease").replaceAll("(?m)^ *routePolicy.*$", "");
        startWith("orders.yaml", routes + feed);

        Path file = Files.writeString(directory.resolve("order-1.txt"), "one");
        await().atMost(Duration.ofSeconds(10)).until(() -> Files.notExists(file));
        assertThat(main.getCamelContext().hasService(LeaseService.class).electors())
                .extracting(elector -> elector.name().value())
                .containsExactlyInAnyOrder("shop/orders", "shop/feed");
    }

    @Test
    void aCheckBeforeASideEffect() throws Exception {
        properties(readme.block("Camel Lease", "properties"));
        Class<?> routes = JavaSource.compile(sources, "Payments", readme.block("Before a side effect", "java"));
        main.configure()
                .addRoutesBuilder((RoutesBuilder) routes.getConstructor().newInstance());
        main.start();

        assertThatItWorks(main.getCamelContext(), "shop/orders");
    }

    @Test
    void aPlainContext() throws Exception {
        JavaSource.compile(sources, "OrderRoutes", readme.block("Java", "java"));
        Class<?> plain = JavaSource.compile(sources, "Plain", readme.block("A plain CamelContext", "java"));

        try (CamelContext context = (CamelContext) plain.getMethod("start").invoke(null)) {
            assertThatItWorks(context, "shop/orders");
        }
    }

    @Test
    void theRecipeForUnitTests() throws Exception {
        Readme recipe = new Readme(directory, "docs/testing.md");
        Class<?> test =
                JavaSource.compile(sources, "FailoverTest", recipe.block("Unit tests of leased routes", "java"));

        test.getMethod("theSecondNodeTakesOver", Path.class).invoke(null, directory);

        assertThat(directory.resolve("order.txt")).doesNotExist();
    }
}
