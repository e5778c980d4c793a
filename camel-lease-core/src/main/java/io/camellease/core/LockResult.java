/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;

/** What became of a {@link LockRequest}. */
public sealed interface LockResult {

    /**
     * The lock is the caller's.
     *
     * @param lock to renew, to check and to release it with
     */
    record Acquired(LeaseLock lock) implements LockResult {}

    /**
     * The lock is not the caller's, and will not be by this request.
     *
     * @param why what ended the request
     * @param seen the record as this process last saw it; empty if it did not
     * @param trouble the last trouble with the store during the request; empty if the store answered
     */
    record NotAcquired(Why why, Optional<LeaseRecord> seen, Optional<LeaseStoreException> trouble)
            implements LockResult {}

    /** What ended a request without a grant. */
    enum Why {
        /** Somebody else has it, in this process or in another one, and the caller did not want to wait any longer. */
        TIMEOUT,
        /** The store could not say, and the caller did not want to wait any longer or a person must mend it. */
        STORE,
        /** This process is about to end. */
        STOPPED
    }
}
