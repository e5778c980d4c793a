/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.Component;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.util.json.JsonObject;
import org.apache.camel.util.json.Jsoner;
import org.junit.jupiter.api.Test;

/** What tools know of the component is what its page says. */
class CatalogTest {

    private final Page page = new Page("docs/component.md");

    private static JsonObject catalog() throws Exception {
        try (Reader json = new InputStreamReader(
                Objects.requireNonNull(
                        LeaseComponent.class.getResourceAsStream("/META-INF/io/camellease/component/lease.json")),
                StandardCharsets.UTF_8)) {
            return (JsonObject) Jsoner.deserialize(json);
        }
    }

    private static List<String> names(String section) throws Exception {
        return new ArrayList<>(catalog().<JsonObject>getMap(section).keySet());
    }

    @Test
    void thePageHasEveryOptionOfAnEndpoint() throws Exception {
        assertThat(page.firstColumn("Endpoint options")).containsExactlyInAnyOrderElementsOf(names("properties"));
    }

    @Test
    void thePageHasEveryOptionOfTheComponent() throws Exception {
        assertThat(page.firstColumn("Component options"))
                .containsExactlyInAnyOrderElementsOf(names("componentProperties"));
    }

    @Test
    void thePageHasEveryHeader() throws Exception {
        assertThat(page.firstColumn("Headers")).containsExactlyInAnyOrderElementsOf(names("headers"));
    }

    @Test
    void thePageHasEveryOperation() throws Exception {
        Map<String, Object> operation =
                catalog().<JsonObject>getMap("properties").getMap("operation");
        List<String> known =
                Arrays.stream(LeaseOperation.values()).map(LeaseOperation::text).toList();

        assertThat(page.firstColumn("Operations")).containsExactlyInAnyOrderElementsOf(known);
        assertThat(operation.get("enum")).isEqualTo(known);
    }

    @Test
    void camelFindsWhatWasGenerated() throws Exception {
        try (CamelContext context = new DefaultCamelContext()) {
            context.start();
            Component component = context.getComponent("lease");
            assertThat(component).isInstanceOf(LeaseComponent.class);
            assertThat(component.getEndpointPropertyConfigurer()).isInstanceOf(LeaseEndpointConfigurer.class);
            assertThat(component.getComponentPropertyConfigurer()).isInstanceOf(LeaseComponentConfigurer.class);
        }
    }
}
