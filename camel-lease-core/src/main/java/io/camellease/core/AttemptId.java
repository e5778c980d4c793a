/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.Checked.text;

import java.util.UUID;

/**
 * One logical acquisition. A claim that is sent again because its reply was lost carries the same attempt, by which the
 * store recognises it (rule S3).
 *
 * @param value 1 to 64 characters under the same rule as {@link LeaseName}
 */
public record AttemptId(String value) {

    private static final int MAX_LENGTH = 64;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it breaks the rule above
     */
    public AttemptId {
        text("attempt id", value, MAX_LENGTH);
    }

    /** A new attempt, different from every other one. */
    public static AttemptId unique() {
        return new AttemptId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
