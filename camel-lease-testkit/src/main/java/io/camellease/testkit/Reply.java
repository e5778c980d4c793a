/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseStoreException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came back for a {@link Request}: an answer, or a failure, which means that the outcome is unknown.
 *
 * @param madeAtNanos the true time at which the store made it, or 0 if it did not
 */
record Reply(@Nullable Object answer, @Nullable LeaseStoreException failure, long madeAtNanos) {

    static Reply failed(String why) {
        return new Reply(null, new LeaseStoreException(LeaseStoreException.Problem.UNAVAILABLE, why, null), 0);
    }

    Object get() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(answer);
    }

    @Override
    public String toString() {
        return failure == null ? String.valueOf(answer) : "unknown: " + failure.getMessage();
    }
}
