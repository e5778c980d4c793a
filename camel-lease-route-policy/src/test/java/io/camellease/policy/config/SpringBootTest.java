/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.camellease.policy.LeaseConstants;
import io.camellease.testkit.MemoryLeaseStoreProvider;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Spring Boot without a starter of ours: the options come from Spring's Environment. */
class SpringBootTest {

    private static final BlockingQueue<Exchange> EXCHANGES = new LinkedBlockingQueue<>();

    @TempDir
    Path directory;

    /** An ordinary Spring Boot application with one route. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        RouteBuilder orders() {
            return new RouteBuilder() {
                @Override
                public void configure() {
                    from("timer:orders?period=50&delay=0")
                            .routeId("orders")
                            .routePolicyRef("lease")
                            .process(EXCHANGES::add);
                }
            };
        }
    }

    @BeforeEach
    void fresh() {
        EXCHANGES.clear();
        MemoryLeaseStoreProvider.reset();
    }

    private static ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> arguments = new ArrayList<>(List.of("--spring.jmx.enabled=false", "--camel.main.name=boot"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return application.run(arguments.toArray(String[]::new));
    }

    @Test
    void theEnvironmentConfiguresTheLease() throws Exception {
        try (var context = run("camel.lease.store=memory:boot", "camel.lease.application=shop", "camel.lease.ttl=2s")) {
            assertThat(context.isRunning()).isTrue();
            Exchange exchange = EXCHANGES.poll(10, TimeUnit.SECONDS);
            assertThat(exchange).isNotNull();
            assertThat(exchange.getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo("shop/orders");
        }
    }

    @Test
    void theFirstScreenOfTheReadmeWorks() throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(new Readme(directory).block("Spring Boot", "properties")));
        String[] arguments = properties.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);

        try (var context = run(arguments)) {
            assertThat(context.isRunning()).isTrue();
            Exchange exchange = EXCHANGES.poll(10, TimeUnit.SECONDS);
            assertThat(exchange).isNotNull();
            assertThat(exchange.getIn().getHeader(LeaseConstants.LEASE_NAME)).isEqualTo("shop/orders");
        }
    }

    @Test
    void twoApplicationsRunTheRouteOnOneNode() throws Exception {
        String[] options = {"camel.lease.store=memory:boot", "camel.lease.application=shop", "camel.lease.ttl=2s"};
        try (var first = run(options)) {
            assertThat(EXCHANGES.poll(10, TimeUnit.SECONDS)).isNotNull();
            try (var second = run(options)) {
                EXCHANGES.clear();
                await().atMost(Duration.ofSeconds(5)).until(() -> EXCHANGES.size() > 20);
                assertThat(EXCHANGES)
                        .extracting(exchange -> exchange.getProperty(LeaseConstants.LEASE_TOKEN))
                        .doesNotContainNull()
                        .containsOnly(EXCHANGES.peek().getProperty(LeaseConstants.LEASE_TOKEN));
            }
        }
    }

    @Test
    void aMissingStoreRefusesTheStart() {
        assertThatThrownBy(() -> run("camel.lease.application=shop").close())
                .rootCause()
                .hasMessageContaining("camel.lease.store is not set");
    }

    @Test
    void anUnknownOptionRefusesTheStart() {
        assertThatThrownBy(() -> run("camel.lease.store=memory:boot", "camel.lease.tll=3s")
                        .close())
                .rootCause()
                .hasMessageContaining("unknown lease option camel.lease.tll");
    }
}
