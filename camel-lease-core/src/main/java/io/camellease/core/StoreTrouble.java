/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that the store is in trouble: one line per cause and outage, not one per try. Confined to the timer thread;
 * writes on the events thread, because writing a log can block.
 */
final class StoreTrouble {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);

    private final String store;
    private final long quietNanos;
    private final Executor log;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Moment> failing = new HashMap<>();
    private @Nullable Moment since;
    private volatile @Nullable String newest;

    /**
     * @param quietNanos how long after its last failure an operation that is not tried any more counts as well again
     * @param log where the log is written
     */
    StoreTrouble(String store, long quietNanos, Executor log) {
        this.store = store;
        this.quietNanos = quietNanos;
        this.log = log;
    }

    void failed(String operation, LeaseStoreException why, Moment now) {
        since = since == null ? now : since;
        failing.put(operation, now);
        newest = why.getMessage();
        String cause = why.problem() + ":"
                + (why.getCause() == null ? "" : why.getCause().getClass());
        boolean news = told.add(cause);
        log.execute(() -> write(operation, why, news));
    }

    private void write(String operation, LeaseStoreException why, boolean news) {
        boolean mayPass = why.problem() == LeaseStoreException.Problem.UNAVAILABLE;
        if (!news) {
            LOG.debug("{}: {} failed: {}", store, operation, why.getMessage());
        } else if (mayPass) {
            LOG.warn("{}: {} (trying on; nobody works without a lease)", store, why.getMessage());
        } else {
            LOG.error("{}: {}", store, why.getMessage());
        }
        if (news) {
            LOG.debug("{}: the cause", store, why);
        }
    }

    /** Why the store failed last, from any thread; empty when it answers. */
    Optional<String> newest() {
        return Optional.ofNullable(newest);
    }

    void answered(String operation, Moment now) {
        Moment begin = since;
        if (begin == null) {
            return;
        }
        failing.remove(operation);
        failing.values().removeIf(last -> now.nanosSince(last) >= quietNanos);
        if (failing.isEmpty()) {
            since = null;
            newest = null;
            told.clear();
            long millis = now.nanosSince(begin) / 1_000_000;
            log.execute(() ->
                    LOG.info("{}: answers again after {} ms: leases are claimed and renewed again", store, millis));
        }
    }

    void clockMoved() {
        log.execute(() -> LOG.warn(
                "{}: its clock moved against the one of this node. For one ttl, expired leases are taken over only after this"
                        + " node has watched them stand still itself",
                store));
    }

    void note(String message, Object... values) {
        log.execute(() -> LOG.debug(message, values));
    }
}
