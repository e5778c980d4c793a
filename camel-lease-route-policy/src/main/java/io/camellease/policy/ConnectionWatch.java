/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseSettings;
import org.apache.camel.Consumer;
import org.apache.camel.Route;
import org.apache.camel.spi.BeanIntrospection;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.service.ServiceHelper;

/**
 * Notices that a JMS consumer runs without a connection: Spring's listener container tries to get one for ever, and tells nobody
 * that it has none. Thread-safe.
 */
final class ConnectionWatch {

    private final Route route;
    private final LeasedRoutes lease;
    private final RouteThreads threads;
    private final SourceWatch source;
    private final long paceMillis;

    ConnectionWatch(Route route, LeasedRoutes lease, RouteThreads threads, SourceWatch source, LeaseSettings settings) {
        this.route = route;
        this.lease = lease;
        this.threads = threads;
        this.source = source;
        this.paceMillis = settings.claimInterval().toMillis();
    }

    /** Looks now and then, as long as the lease has the route and the grant lasts. To be called once for a grant. */
    void begin(Lease grant) {
        if (ConsumerKind.isJms(route.getConsumer())) {
            lookLater(grant);
        }
    }

    private void lookLater(Lease grant) {
        threads.later(paceMillis, () -> look(grant));
    }

    private void look(Lease grant) {
        boolean isHeld = lease.elector().lease().filter(grant::equals).isPresent();
        if (!isHeld || lease.gates().stream().noneMatch(gate -> gate.route() == route)) {
            return;
        }
        if (isRecovering(route.getConsumer())) {
            source.failed("has had no connection to its broker", null);
        } else {
            source.succeeded();
        }
        lookLater(grant);
    }

    /** Reads a field of Spring's container, and takes no lock. */
    private boolean isRecovering(Consumer consumer) {
        if (!ServiceHelper.isStarted(consumer)) {
            return false;
        }
        BeanIntrospection beans = PluginHelper.getBeanIntrospection(route.getCamelContext());
        Object container = beans.getOrElseProperty(consumer, "listenerContainer", consumer, false);
        return Boolean.TRUE.equals(beans.getOrElseProperty(container, "recovering", false, false));
    }
}
