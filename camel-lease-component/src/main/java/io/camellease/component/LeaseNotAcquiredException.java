/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A lock was not to be had in time, so what it guards must not be done. */
public class LeaseNotAcquiredException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String leaseName;

    /**
     * A lock that was not acquired.
     *
     * @param leaseName the whole name of the lock
     * @param message what kept it from being acquired
     * @param cause the trouble with the store, or null if there was none
     */
    public LeaseNotAcquiredException(String leaseName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.leaseName = leaseName;
    }

    /** The whole name of the lock. */
    public String leaseName() {
        return leaseName;
    }
}
