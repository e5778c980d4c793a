/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import io.camellease.core.Secrets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.camel.Route;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets another node try when this one holds the lease, and has not reached the source for one ttl: its directory is not mounted,
 * its login is refused, its broker is cut off. Thread-safe.
 */
final class SourceWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);

    /** Failures one after the other. */
    private record Streak(long token, String what, @Nullable Exception first, AtomicInteger times) {}

    private final Route route;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final BooleanSupplier isHeldBack;
    private final long patienceMillis;
    private final AtomicReference<@Nullable Streak> failing = new AtomicReference<>();

    /**
     * A watch that has seen nothing yet.
     *
     * @param isHeldBack whether the lease, or an operator, has suspended the consumer; takes no lock
     * @param patienceMillis how long the source may fail, in milliseconds
     */
    SourceWatch(
            Route route, LeasedRoutes lease, RouteThreads threads, BooleanSupplier isHeldBack, long patienceMillis) {
        this.route = route;
        this.lease = lease;
        this.elector = lease.elector();
        this.threads = threads;
        this.isHeldBack = isHeldBack;
        this.patienceMillis = patienceMillis;
    }

    void succeeded() {
        failing.set(null);
    }

    /**
     * The source has failed once.
     *
     * @param what goes on, such as "has failed to poll"
     * @param why as far as is known
     */
    void failed(String what, @Nullable Exception why) {
        long token = token();
        Streak before = failing.get();
        if (before != null && before.token() == token) {
            before.times().incrementAndGet();
            return;
        }
        Streak begun = new Streak(token, what, why, new AtomicInteger(1));
        if (token > 0 && failing.compareAndSet(before, begun)) {
            threads.later(patienceMillis, () -> judge(begun));
        }
    }

    /** The token of the grant, or 0 if there is none. */
    private long token() {
        return elector.lease().map(lease -> lease.token().value()).orElse(0L);
    }

    private void judge(Streak streak) {
        boolean isOfNow = streak.token() == token() && streak.equals(failing.get());
        boolean goesOn = ServiceHelper.isStarted(route.getConsumer());
        if (isOfNow && goesOn && streak.times().get() < 2) {
            // one that polls seldom has had one mishap so far
            threads.later(patienceMillis, () -> judge(streak));
        } else if (failing.compareAndSet(streak, null) && isOfNow && (goesOn || hasGivenUp())) {
            giveAway(streak);
        }
    }

    /** Whether the consumer was suspended for its failures, as a poll strategy may do, so that it cannot recover. */
    private boolean hasGivenUp() {
        return ServiceHelper.isSuspended(route.getConsumer()) && !isHeldBack.getAsBoolean();
    }

    private void giveAway(Streak streak) {
        Secrets secrets = RouteSecrets.of(route);
        Exception first = streak.first();
        LOG.error(
                "Route '{}' {} for {} ms: lease '{}' is given away, so that another node can try",
                route.getRouteId(),
                streak.what(),
                patienceMillis,
                elector.name(),
                first == null ? null : secrets.masked(first));
        lease.troubles().giveAway(route, first == null ? streak.what() : streak.what() + ": " + secrets.in(first));
    }
}
