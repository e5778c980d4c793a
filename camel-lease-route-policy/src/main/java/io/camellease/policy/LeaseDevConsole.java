/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.spi.annotations.DevConsole;
import org.apache.camel.support.console.AbstractDevConsole;
import org.apache.camel.util.json.JsonArray;
import org.apache.camel.util.json.JsonObject;

/** The dev console {@code lease}: where this node stands with its leases. Thread-safe. */
@DevConsole(name = "lease", displayName = "Lease", description = "Leases of this node's routes")
public final class LeaseDevConsole extends AbstractDevConsole {

    /** Made by Camel. */
    public LeaseDevConsole() {
        super("camel", "lease", "Lease", "Leases of this node's routes");
    }

    private List<LeaseStatus> statuses() {
        return getCamelContext().hasServices(LeaseService.class).stream()
                .flatMap(service -> service.statuses().stream())
                .toList();
    }

    @Override
    protected String doCallText(Map<String, Object> options) {
        List<LeaseStatus> statuses = statuses();
        if (statuses.isEmpty()) {
            return "No route is leased\n";
        }
        return statuses.stream().map(LeaseDevConsole::text).collect(Collectors.joining("\n"));
    }

    private static String text(LeaseStatus status) {
        return LeaseDetails.of(status).entrySet().stream()
                .map(detail -> "    " + detail.getKey() + ": " + detail.getValue() + "\n")
                .collect(Collectors.joining("", "Lease " + status.name() + "\n", ""));
    }

    @Override
    protected Map<String, Object> doCallJson(Map<String, Object> options) {
        JsonArray leases = new JsonArray();
        statuses().forEach(status -> {
            JsonObject lease = new JsonObject();
            lease.put("name", status.name().value());
            lease.putAll(LeaseDetails.of(status));
            leases.add(lease);
        });
        JsonObject root = new JsonObject();
        root.put("leases", leases);
        return root;
    }
}
