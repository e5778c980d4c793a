/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log that the store is in trouble: one line per cause and outage, not one per try. Confined to the timer thread. */
final class StoreTrouble {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);

    private final String store;
    private final Set<String> told = new HashSet<>();
    private @Nullable Moment since;

    StoreTrouble(String store) {
        this.store = store;
    }

    void failed(LeaseStoreException why, Moment now) {
        if (since == null) {
            since = now;
        }
        String cause = why.problem() + ":"
                + (why.getCause() == null ? "" : why.getCause().getClass());
        if (!told.add(cause)) {
            LOG.debug("{}: {}", store, why.getMessage());
        } else if (why.problem() == LeaseStoreException.Problem.UNAVAILABLE) {
            LOG.warn("{}: {} Trying on; nobody works without a lease.", store, why.getMessage());
            LOG.debug("{}: the cause", store, why);
        } else {
            LOG.error("{}: {}", store, why.getMessage());
            LOG.debug("{}: the cause", store, why);
        }
    }

    void answered(Moment now) {
        Moment begin = since;
        if (begin != null) {
            LOG.info("{}: answers again after {} ms", store, now.nanosSince(begin) / 1_000_000);
            since = null;
            told.clear();
        }
    }
}
