/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Opens the stores of one kind of database. Found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface LeaseStoreProvider {

    /** The URI schemes it serves, in lower case, for example {@code mongodb}. */
    Set<String> schemes();

    /** The artifact that a user adds for it, for example {@code camel-lease-mongodb}. */
    String artifact();

    /** The ttl that suits this kind of database when the user names none. */
    Duration defaultTtl();

    /** How long such a database typically takes to fail over; zero if it does not. */
    Duration failover();

    /**
     * Opens the store that the URI names. Does no I/O: an unreachable store shows in its operations.
     *
     * @throws IllegalArgumentException if URI or options are wrong; the message names the option and the rule, no secret
     */
    LeaseStore open(LeaseStoreOptions options);

    /**
     * Opens a store over a client object that the user made and goes on owning, for example a {@code MongoClient}.
     *
     * @return empty if the object is not of a kind this provider knows
     * @throws IllegalArgumentException if the options are wrong
     */
    Optional<LeaseStore> open(Object client, LeaseStoreOptions options);
}
