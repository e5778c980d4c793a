/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import java.time.Duration;

/**
 * Opens stores on one set of records and does to these records what no store would do, for {@link LeaseStoreContract}. Called
 * by one thread at a time.
 */
public interface LeaseStoreFixture extends AutoCloseable {

    /** A new store on the same records, as another process would open it. The contract closes it. */
    LeaseStore open();

    /**
     * Moves the expiry in the record of a name, as if the store's clock had been stepped the other way. Changes nothing else.
     * The record exists and is readable.
     *
     * @param by whole milliseconds, up to 2 days either way; negative for an earlier expiry
     */
    void shiftExpiry(LeaseName name, Duration by);

    /** Ends the grant of a name as if its ttl had run out. The record exists and is readable. */
    default void expire(LeaseName name) {
        shiftExpiry(name, Duration.ofDays(-2));
    }

    /**
     * Makes the record of a name unreadable (rule S11), for example by writing a text where a number belongs. The record
     * exists; its grant may be running.
     */
    void damage(LeaseName name);

    /** Deletes the record of a name, if there is one, with its token and its state. */
    void wipe(LeaseName name);

    /**
     * Everything that is stored for a name, as text: two texts are equal only if nothing changed in between. The record
     * exists; it may be unreadable.
     */
    String raw(LeaseName name);

    /** Frees what the fixture opened and deletes what the contract stored. */
    @Override
    void close();
}
