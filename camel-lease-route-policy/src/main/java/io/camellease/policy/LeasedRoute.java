/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Ticker;
import java.util.Optional;
import org.apache.camel.Route;

/** A route that is leased, as a {@link LeasedRouteExtension} sees it. Thread-safe. */
public interface LeasedRoute {

    /** The route; its consumer may not exist yet. */
    Route route();

    /** The elector of its lease, which other routes may share. */
    LeaseElector elector();

    /** The durations of the lease. */
    LeaseSettings settings();

    /** The clocks that the lease goes by. */
    Ticker ticker();

    /** Whether an exchange may begin at this instant: the lease is held, and the consumer runs. */
    boolean isOpen();

    /**
     * What its policy, or else the context, sets for an option of a scheduled route.
     *
     * @param key the name without {@code camel.lease.}: missedFires, missedFireLimit or recoverInFlight
     */
    Optional<String> option(String key);
}
