/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseStoreException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came back for a {@link Request}: an answer, or a failure, which means that the outcome is unknown.
 *
 * @param clockSteps by how much the store's clock had been stepped when it made this; zero if it did not
 */
record Reply(@Nullable Object answer, @Nullable LeaseStoreException failure, Duration clockSteps) {

    static Reply failed(String why) {
        return new Reply(
                null, new LeaseStoreException(LeaseStoreException.Problem.UNAVAILABLE, why, null), Duration.ZERO);
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
