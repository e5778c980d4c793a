/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import java.util.Optional;
import org.apache.camel.Exchange;

/**
 * Does what a kind of consumer needs beyond being started and stopped with the lease. Found by {@link java.util.ServiceLoader};
 * the implementation must be loadable although the component it is for is missing.
 */
public interface LeasedRouteExtension {

    /**
     * Called when a route is being leased, before its endpoint is started.
     *
     * @return what to tell about that route; empty if it is of another kind
     * @throws IllegalArgumentException if an option of the route is wrong, whereupon the context does not start
     */
    Optional<Extended> extend(LeasedRoute route);

    /** Is told about one leased route. Thread-safe; no other method than {@link #starting} and {@link #contextStopping} blocks. */
    interface Extended {

        /** Whether the route may be started by the lease already; if not, it is asked again soon. */
        boolean isReady();

        /**
         * Whether the route may run at this time of the day. While it may not, the lease does not start it, on no node; it is asked
         * again soon, and leaves alone what runs.
         */
        default boolean isTime() {
            return true;
        }

        /** Whether a schedule of the route's author, and not a person, starts or stops the route at this moment. */
        default boolean isSwitching() {
            return false;
        }

        /** The consumer is about to be started, whoever starts it; its endpoint and component are. May block, and may throw. */
        void starting();

        /** The route runs under that grant. Called again, for the same grant, after it was held back. */
        void opened(Lease lease);

        /** Nothing of the route may begin any more, for now or for good. */
        void shut();

        /** An exchange of the route is about to begin; false refuses it. */
        boolean begin(Exchange exchange);

        /**
         * Whether what an exchange is for had begun before the exchange did. Then it goes on also if the lease is being given
         * back, which waits for it.
         */
        default boolean hasBegun(Exchange exchange) {
            return false;
        }

        /** The exchange does not begin: an extension, or the lease, has refused it. Must not block. */
        default void refused(Exchange exchange) {}

        /** Whether something that has begun has no exchange yet, and would not get one from a consumer that is held back. */
        default boolean isAboutToBegin() {
            return false;
        }

        /** The context is about to stop its consumers. Returns when nothing {@link #isAboutToBegin}, or soon; may block. */
        default void contextStopping() {}

        /** Whether nothing is under way for the route that must end before the lease is given back. */
        boolean isQuiet();

        /** The route is leased no longer. {@link #isQuiet} is asked still. */
        void close();
    }
}
