/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.support.ScheduledPollConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done to the consumer of a leased route right before it starts, whoever starts it. Starts are serialised by Camel. */
final class ConsumerStart {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerStart.class);

    private final Route route;
    private final LeasedRoutes lease;
    private final RouteThreads threads;
    private final ExchangeGate exchanges;
    private final Extensions extensions;
    private final SourceWatch source;
    private boolean advised;
    private @Nullable ScheduledPollConsumer pulsed;

    ConsumerStart(
            Route route,
            LeasedRoutes lease,
            RouteThreads threads,
            ExchangeGate exchanges,
            Extensions extensions,
            SourceWatch source) {
        this.route = route;
        this.lease = lease;
        this.threads = threads;
        this.exchanges = exchanges;
        this.extensions = extensions;
        this.source = source;
    }

    /** A service of the route is about to start. */
    void before(Service service) {
        if (service != route.getConsumer()) {
            return;
        }
        extensions.starting();
        if (!advised) {
            advised = true;
            SourceAdvice.give(route, route.getConsumer());
            RepeatAdvice.give(route);
        }
        if (service instanceof ScheduledPollConsumer consumer) {
            watch(consumer);
        }
    }

    private void watch(ScheduledPollConsumer consumer) {
        if (pulsed != consumer) {
            pulsed = consumer;
            PollPulse.install(consumer, threads, this::pollDied);
        }
        PollGate.install(consumer, exchanges::isOpen, source);
    }

    private void pollDied() {
        LOG.error(
                "Route '{}' polls no more: an Error ended its poll (Camel logged it), and Camel does not go on after one. Lease"
                        + " '{}' is given away, so that another node runs the route; restart this process",
                route.getRouteId(),
                lease.name());
        lease.troubles().giveAway(route, "an Error ended its poll, and Camel polls no more");
    }
}
