/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The leases an exchange is under: that of its route, and the locks that it acquired since. The innermost is the one in {@link
 * LeaseConstants#LEASE_NAME} and {@link LeaseConstants#LEASE_TOKEN}. Stateless: what is known travels with the exchange.
 */
public final class ExchangeLeases {

    private static final String OUTER = "CamelLeaseOuter";

    /** An exchange property: the route that took the exchange from outside when it got its lease; empty if none did. */
    private static final String STAMPED_IN = "CamelLeaseStampedIn";

    /** An exchange property: the leased route that it was in then. */
    private static final String STAMPED_BY = "CamelLeaseStampedBy";

    private ExchangeLeases() {}

    /**
     * One of them.
     *
     * @param name the whole name of the lease
     * @param token the fencing token of the grant
     */
    public record Under(String name, long token) {}

    /** The exchange begins under the lease of a route. */
    static void atWork(Exchange exchange, String routeId) {
        exchange.setProperty(STAMPED_IN, takenBy(exchange));
        exchange.setProperty(STAMPED_BY, routeId);
    }

    /** The exchange leaves a route that was called: if it got its lease there, it has none where it goes on. */
    static void returned(Exchange exchange, String routeId) {
        if (routeId.equals(exchange.getProperty(STAMPED_BY))) {
            exchange.removeProperty(STAMPED_IN);
            exchange.removeProperty(STAMPED_BY);
        }
    }

    /**
     * Whether the exchange has begun under the lease of a route, and was not left in a queue since. An exchange that has locks
     * only has not.
     */
    public static boolean isAtWork(Exchange exchange) {
        return exchange.getProperty(LeaseConstants.LEASE_TOKEN) != null
                && takenBy(exchange).equals(exchange.getProperty(STAMPED_IN));
    }

    private static String takenBy(Exchange exchange) {
        return Objects.requireNonNullElse(exchange.getFromRouteId(), "");
    }

    /** All of them, the innermost last; empty if there is none. */
    public static List<Under> all(Exchange exchange) {
        List<Under> all = new ArrayList<>(outer(exchange));
        innermost(exchange).ifPresent(all::add);
        return all;
    }

    /** The token of the innermost grant of that name. */
    public static Optional<Long> token(Exchange exchange, String name) {
        return all(exchange).stream()
                .filter(under -> under.name().equals(name))
                .reduce((first, second) -> second)
                .map(Under::token);
    }

    /** From now on the exchange is under that grant as well. */
    public static void enter(Exchange exchange, Under grant) {
        List<Under> outer = all(exchange);
        exchange.setProperty(OUTER, List.copyOf(outer));
        show(exchange, grant);
    }

    /** The exchange is not under that grant any more. */
    public static void leave(Exchange exchange, Under grant) {
        List<Under> all = new ArrayList<>(all(exchange));
        all.remove(grant);
        Under innermost = all.isEmpty() ? null : all.remove(all.size() - 1);
        exchange.setProperty(OUTER, List.copyOf(all));
        show(exchange, innermost);
    }

    private static void show(Exchange exchange, @Nullable Under innermost) {
        set(exchange, LeaseConstants.LEASE_NAME, innermost == null ? null : innermost.name());
        set(exchange, LeaseConstants.LEASE_TOKEN, innermost == null ? null : innermost.token());
    }

    private static void set(Exchange exchange, String key, @Nullable Object value) {
        if (value == null) {
            exchange.removeProperty(key);
            exchange.getMessage().removeHeader(key);
        } else {
            exchange.setProperty(key, value);
            exchange.getMessage().setHeader(key, value);
        }
    }

    private static Optional<Under> innermost(Exchange exchange) {
        String name = exchange.getProperty(LeaseConstants.LEASE_NAME, String.class);
        Long token = exchange.getProperty(LeaseConstants.LEASE_TOKEN, Long.class);
        return name == null || token == null ? Optional.empty() : Optional.of(new Under(name, token));
    }

    @SuppressWarnings("unchecked")
    private static List<Under> outer(Exchange exchange) {
        List<Under> outer = exchange.getProperty(OUTER, List.class);
        return outer == null ? List.of() : outer;
    }
}
