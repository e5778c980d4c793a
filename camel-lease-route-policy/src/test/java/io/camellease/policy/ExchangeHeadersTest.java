/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.testkit.MemoryLeaseStoreProvider;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.spi.PropertiesComponent;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A leased route in Camel's own test support, with the test store: what an exchange carries. */
class ExchangeHeadersTest extends CamelTestSupport {

    @Override
    protected CamelContext createCamelContext() throws Exception {
        CamelContext context = super.createCamelContext();
        PropertiesComponent properties = context.getPropertiesComponent();
        properties.addOverrideProperty("camel.lease.store", "memory:headers");
        properties.addOverrideProperty("camel.lease.application", "shop");
        properties.addOverrideProperty("camel.lease.ttl", "2s");
        return context;
    }

    @Override
    protected RoutesBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:orders?period=20&delay=0")
                        .routeId("orders")
                        .routePolicyRef("lease")
                        .to("mock:kept")
                        .removeHeaders("*")
                        .to("mock:removed");
            }
        };
    }

    @AfterAll
    static void forget() {
        MemoryLeaseStoreProvider.reset();
    }

    @Test
    void everyExchangeCarriesNameAndTokenAsHeadersAndProperties() throws Exception {
        MockEndpoint kept = getMockEndpoint("mock:kept");
        MockEndpoint removed = getMockEndpoint("mock:removed");
        kept.expectedMinimumMessageCount(2);
        removed.expectedMinimumMessageCount(2);
        kept.expectedHeaderReceived(LeaseConstants.LEASE_NAME, "shop/orders");

        MockEndpoint.assertIsSatisfied(context);

        Exchange exchange = removed.getExchanges().get(0);
        Long token = exchange.getProperty(LeaseConstants.LEASE_TOKEN, Long.class);
        assertThat(token).isPositive();
        assertThat(kept.getExchanges().get(0).getIn().getHeader(LeaseConstants.LEASE_TOKEN))
                .isEqualTo(token);
        assertThat(exchange.getIn().getHeaders()).isEmpty();
        assertThat(exchange.getProperty(LeaseConstants.LEASE_NAME)).isEqualTo("shop/orders");
        assertThat(exchange.getProperty(LeaseConstants.LEASE_CHECKED_AT, Long.class))
                .isNotNull();
    }
}
