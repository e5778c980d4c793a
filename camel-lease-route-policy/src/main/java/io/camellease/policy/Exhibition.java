/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the leases of a service by JMX and as meters, as far as the context has those. Level-triggered: each look compares what is
 * shown with what there is. Thread-safe; works on the thread of the listeners.
 */
final class Exhibition {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);
    private static final String METERS = "io.micrometer.core.instrument.MeterRegistry";

    private final LeaseService service;
    private final Observers thread;
    private final Map<LeaseName, List<String>> shown = new HashMap<>();
    private List<Exhibit> exhibits = List.of();

    Exhibition(LeaseService service, Observers thread) {
        this.service = service;
        this.thread = thread;
    }

    /** The context is up. */
    void open() {
        thread.execute(() -> {
            if (exhibits.isEmpty()) {
                exhibits = exhibits(service.context());
            }
            compare();
        });
    }

    /** The leases or their routes have changed. */
    void look() {
        thread.execute(this::compare);
    }

    /** The service stops. */
    void close() {
        thread.execute(() -> {
            List.copyOf(shown.keySet()).forEach(this::remove);
            exhibits.forEach(Exhibit::close);
            exhibits = List.of();
        });
    }

    private List<Exhibit> exhibits(CamelContext context) {
        List<Exhibit> found = new ArrayList<>();
        LeaseMBeans.of(service).ifPresent(found::add);
        if (context.getClassResolver().resolveClass(METERS) != null) {
            LeaseMeters.of(service).ifPresent(found::add);
        }
        return found;
    }

    private void compare() {
        if (exhibits.isEmpty()) {
            return;
        }
        Map<LeaseName, LeaseStatus> there = new HashMap<>();
        service.statuses().forEach(status -> there.put(status.name(), status));
        List.copyOf(shown.keySet()).stream()
                .filter(name ->
                        !there.containsKey(name) || !routes(there.get(name)).equals(shown.get(name)))
                .forEach(this::remove);
        there.values().stream()
                .filter(status -> !shown.containsKey(status.name()))
                .forEach(this::add);
    }

    private static List<String> routes(LeaseStatus status) {
        return status.routes().stream().map(LeaseStatus.RouteStatus::id).toList();
    }

    private void add(LeaseStatus status) {
        shown.put(status.name(), routes(status));
        exhibits.forEach(exhibit -> guarded(status.name(), () -> exhibit.add(status)));
    }

    private void remove(LeaseName name) {
        shown.remove(name);
        exhibits.forEach(exhibit -> guarded(name, () -> exhibit.remove(name)));
    }

    /** What cannot be shown is no reason not to work. */
    private static void guarded(LeaseName name, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError failed) {
            LOG.warn("Lease '{}' cannot be shown by JMX or as meters", name, failed);
        }
    }
}
