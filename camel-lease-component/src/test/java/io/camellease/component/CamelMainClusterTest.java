/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static io.camellease.component.Waiting.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.main.Main;
import org.jspecify.annotations.Nullable;
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

    private static boolean readsTheGroup() {
        return !new DefaultCamelContext().getVersion().startsWith("4.18.");
    }

    private void start(String... ofTheGroup) {
        main.addInitialProperty("camel.lease.store", "memory:" + UUID.randomUUID());
        main.addInitialProperty("camel.lease.application", "shop");
        for (String property : ofTheGroup) {
            String[] pair = property.split("=", 2);
            main.addInitialProperty("camel.cluster.lease." + pair[0], pair[1]);
        }
        main.configure().setJmxEnabled(false);
        main.start();
    }

    private @Nullable CamelClusterService service() {
        return main.getCamelContext().hasService(CamelClusterService.class);
    }

    private void needsTheService() {
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                from("master:ns:timer:t?period=100&delay=0").routeId("ticks").log("tick");
            }
        });
    }

    @Test
    void aBeanIsEnough() {
        needsTheService();
        main.addInitialProperty("camel.beans.cluster", "#class:" + LeaseClusterService.class.getName());

        start();

        assertThat(main.getCamelContext().hasServices(CamelClusterService.class))
                .containsExactly(
                        main.getCamelContext().getRegistry().lookupByNameAndType("cluster", LeaseClusterService.class));
        soon().until(() -> service().isLeader("ns"));
    }

    @Test
    void aBeanThatIsAddedByHandAsWellIsOneService() throws Exception {
        needsTheService();
        LeaseClusterService cluster = new LeaseClusterService();
        main.bind("cluster", cluster);
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                getContext().addService(cluster);
            }
        });

        start();

        assertThat(main.getCamelContext().hasServices(CamelClusterService.class))
                .containsExactly(cluster);
        soon().until(() -> service().isLeader("ns"));
    }

    @Test
    void propertiesAloneMakeTheClusterService() {
        Assumptions.assumeTrue(readsTheGroup(), "camel-main reads camel.cluster.* since 4.22");
        needsTheService();

        start("enabled=true", "id=by-properties");

        CamelClusterService service = service();
        assertThat(service).isInstanceOf(LeaseClusterService.class);
        assertThat(service.getId()).isEqualTo("by-properties");
        soon().until(() -> service.isLeader("ns"));
    }

    @Test
    void itIsNotMadeUnlessItIsAskedFor() {
        start();

        assertThat(service()).isNull();
    }

    @Test
    void anOlderCamelPassesTheGroupOver() {
        Assumptions.assumeFalse(readsTheGroup(), "camel-main reads camel.cluster.* since 4.22");

        start("enabled=true");

        assertThat(service()).isNull();
    }
}
