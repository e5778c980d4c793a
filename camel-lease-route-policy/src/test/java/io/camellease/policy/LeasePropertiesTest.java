/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What environment variables mean. */
class LeasePropertiesTest {

    /** Of a service that is called camel-lease-api. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CAMEL_LEASE_API_SERVICE_HOST",
                "CAMEL_LEASE_API_SERVICE_PORT",
                "CAMEL_LEASE_API_SERVICE_PORT_HTTP",
                "CAMEL_LEASE_API_PORT",
                "CAMEL_LEASE_API_PORT_8080_TCP",
                "CAMEL_LEASE_API_PORT_8080_TCP_ADDR"
            })
    void whatKubernetesSetsForAServiceIsNoMisspeltOption(String name) {
        assertThat(name).matches(LeaseProperties.OF_A_SERVICE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"camel.lease.renewInterval", "camel.lease.renew-interval"})
    void aVariableWinsOverAFileHoweverThatWritesTheName(String written) throws Exception {
        try (var context = new DefaultCamelContext()) {
            context.getPropertiesComponent().addInitialProperty(written, "2s");
            context.init();

            assertThat(found(context, Map.of("CAMEL_LEASE_RENEW_INTERVAL", "3s")))
                    .contains("3s");
            assertThat(found(context, Map.of("CAMEL_LEASE_RENEW_INTERVAL", ""))).contains("2s");
            assertThat(found(context, Map.of())).contains("2s");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoSwitchesLeasesOffIsToldOnceHoweverRoutesAreLeased(boolean byPolicy) throws Exception {
        try (var context = new DefaultCamelContext();
                LogLines log = LogLines.open()) {
            context.getPropertiesComponent().addInitialProperty("camel.lease.enabled", "false");
            context.getPropertiesComponent().addInitialProperty("camel.lease.routes", "orders");
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    RouteDefinition orders = from("direct:orders").routeId("orders");
                    (byPolicy ? orders.routePolicyRef("lease") : orders).to("log:orders");
                }
            });
            context.start();

            assertThat(log.of(Level.WARN, "camel.lease.enabled=false", context.getName()))
                    .hasSize(1);
        }
    }

    private static Optional<String> found(CamelContext context, Map<String, String> environment) {
        return LeaseProperties.find(context.getPropertiesComponent(), LeaseOption.RENEW_INTERVAL, environment::get);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAMEL_LEASE_STOER", "CAMEL_LEASE_SERVICE", "CAMEL_LEASE_PORTS", "CAMEL_LEASE_STORE_HOST"})
    void allElseIs(String name) {
        assertThat(name).doesNotMatch(LeaseProperties.OF_A_SERVICE);
    }
}
