/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The cluster service by properties alone, which camel-main can do since 4.22. */
class CamelMainClusterTest {

    private final Main main = new Main();

    @AfterEach
    void stop() {
        main.stop();
    }

    @Test
    void propertiesAloneMakeTheClusterService() throws Exception {
        String version = new DefaultCamelContext().getVersion();
        Assumptions.assumeFalse(
                version.startsWith("4.18."), "camel.cluster.* is read by camel-main since 4.22; this is " + version);
        main.addInitialProperty("camel.lease.store", "memory:camel-main-cluster");
        main.addInitialProperty("camel.lease.application", "shop");
        main.addInitialProperty("camel.cluster.lease.enabled", "true");
        main.configure().setJmxEnabled(false);
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                from("master:ns:timer:t?period=100&delay=0").routeId("ticks").log("tick");
            }
        });
        main.start();

        CamelClusterService service = main.getCamelContext().hasService(CamelClusterService.class);
        assertThat(service).isInstanceOf(LeaseClusterService.class);
        soon().until(() -> service.isLeader("ns"));
    }
}
