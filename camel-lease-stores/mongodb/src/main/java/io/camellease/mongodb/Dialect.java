/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import io.camellease.core.Claim;
import io.camellease.core.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a server is told to put its own clock into a record. All dialects store the same record, change it under the same
 * {@link Conditions}, and let the server judge expiry when it applies the change, so nodes that speak different ones may share
 * a collection. Stateless.
 */
interface Dialect {

    /** For logs. */
    String name();

    /**
     * What a server that understands it does right, tried on the {@link DialectProbe#SCRATCH} record. What the server refuses
     * by an error, it does not understand either.
     */
    List<Trial> trials();

    /** Something that a server does right or not; so short that it fits into any operation. Stateless. */
    interface Trial {

        /**
         * Tries it.
         *
         * @throws com.mongodb.MongoException if the server refuses, or could not say
         */
        boolean passes(Call call);
    }

    /**
     * Grants the lease if its record exists and is free.
     *
     * @param now the server's clock, a moment ago
     * @return the record afterwards; empty if nothing was changed
     */
    Optional<LeaseDocument> grant(Call call, Claim claim, Instant now);

    /**
     * Renews what can be renewed.
     *
     * @param renewals at least one, for one command
     * @return how many records were changed
     */
    int renew(Call call, List<Renewal> renewals);

    /** Milliseconds, rounded up: a record must never end before its holder thinks it does. */
    static long millis(Duration ttl) {
        return ttl.plusNanos(999_999).toMillis();
    }
}
