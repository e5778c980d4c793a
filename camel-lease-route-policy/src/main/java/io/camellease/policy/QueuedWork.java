/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.component.seda.SedaEndpoint;
import org.apache.camel.spi.Synchronization;
import org.apache.camel.support.UnitOfWorkHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges that a leased route left in an in-memory queue, and that the route behind the queue has not begun: they hold the
 * files or messages they came from. Loaded only where camel-seda is.
 */
final class QueuedWork {

    private static final Logger LOG = LoggerFactory.getLogger(QueuedWork.class);
    private static final String SEDA = "org.apache.camel.component.seda.SedaEndpoint";

    private QueuedWork() {}

    /** Whether the route consumes from a queue in memory. */
    static boolean canBeAt(Route route) {
        return String.valueOf(route.getEndpoint().getEndpointUri()).startsWith("seda:")
                && route.getCamelContext().getClassResolver().resolveClass(SEDA) != null;
    }

    /** How long a thread that waits at the queue, though its consumer is held, may still take something. */
    static long pollMillis(Route route) {
        return Seda.pollMillis(route);
    }

    /** Fails those that were left in the route's queue under that lease, so that their sources keep the messages. */
    static void withdraw(Route route, LeaseName lease) {
        Seda.withdraw(route, lease);
    }

    /** Apart, so that the class of the endpoint is looked for only if it is there. */
    private static final class Seda {

        private static final long SLACK_MILLIS = 50;

        static long pollMillis(Route route) {
            return route.getEndpoint() instanceof SedaEndpoint seda ? seda.getPollTimeout() + SLACK_MILLIS : 0;
        }

        static void withdraw(Route route, LeaseName lease) {
            if (route.getEndpoint() instanceof SedaEndpoint seda) {
                BlockingQueue<Exchange> queue = seda.getQueue();
                for (Exchange exchange : List.copyOf(queue)) {
                    // whoever removes it owns it: a consumer thread may be taking it at the same time
                    if (lease.value().equals(exchange.getProperty(LeaseConstants.LEASE_NAME))
                            && queue.remove(exchange)) {
                        fail(exchange, route, lease);
                    }
                }
            }
        }

        private static void fail(Exchange exchange, Route route, LeaseName lease) {
            LOG.debug(
                    "Route '{}': exchange {} is taken out of its queue", route.getRouteId(), exchange.getExchangeId());
            exchange.setException(
                    new LeaseLostException("route '" + route.getRouteId() + "' did not begin this in time:" + " lease '"
                            + lease + "' is not held by this node any more. The message stays where it came from"));
            List<Synchronization> completions = exchange.getExchangeExtension().handoverCompletions();
            UnitOfWorkHelper.doneSynchronizations(exchange, completions);
        }
    }
}
