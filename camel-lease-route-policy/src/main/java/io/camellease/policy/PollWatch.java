/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Route;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets another node try when this one holds the lease, and has polled for one ttl without success: its directory is not mounted,
 * its login is refused. Thread-safe.
 */
final class PollWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PollWatch.class);

    /** Polls that failed one after the other. */
    private record Streak(long token, Exception first, AtomicInteger polls) {}

    private final Route route;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final long patienceMillis;
    private final AtomicReference<@Nullable Streak> failing = new AtomicReference<>();

    /**
     * A watch that has seen nothing yet.
     *
     * @param patienceMillis how long polls may fail, in milliseconds
     */
    PollWatch(Route route, LeasedRoutes lease, RouteThreads threads, long patienceMillis) {
        this.route = route;
        this.lease = lease;
        this.elector = lease.elector();
        this.threads = threads;
        this.patienceMillis = patienceMillis;
    }

    void succeeded() {
        failing.set(null);
    }

    void failed(Exception why) {
        long token = token();
        Streak before = failing.get();
        if (before != null && before.token() == token) {
            before.polls().incrementAndGet();
            return;
        }
        Streak begun = new Streak(token, why, new AtomicInteger(1));
        if (token > 0 && failing.compareAndSet(before, begun)) {
            threads.later(patienceMillis, () -> judge(begun));
        }
    }

    /** The token of the grant, or 0 if there is none. */
    private long token() {
        return elector.lease().map(lease -> lease.token().value()).orElse(0L);
    }

    private void judge(Streak streak) {
        boolean isOfNow = streak.token() == token() && ServiceHelper.isStarted(route.getConsumer());
        if (isOfNow && streak.equals(failing.get()) && streak.polls().get() < 2) {
            // one that polls seldom has had one mishap so far
            threads.later(patienceMillis, () -> judge(streak));
        } else if (failing.compareAndSet(streak, null) && isOfNow) {
            Secrets secrets = Secrets.of(route);
            LOG.error(
                    "Route '{}' has failed to poll for {} ms: lease '{}' is given away, so that another node can try",
                    route.getRouteId(),
                    patienceMillis,
                    elector.name(),
                    secrets.masked(streak.first()));
            lease.troubles().giveAway(route, "has failed to poll: " + secrets.in(streak.first()));
        }
    }
}
