/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.Checked.text;

/**
 * What is contended for: the name of a lease. Names are compared exactly: case, Unicode form and slashes count.
 *
 * @param value 1 to 200 characters, no control characters, no unpaired surrogates, no white space at either end; everything
 *     else is legal, {@code /}, {@code .}, {@code $} and inner spaces included
 */
public record LeaseName(String value) implements Comparable<LeaseName> {

    private static final int MAX_LENGTH = 200;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it breaks the rule above; the message names value and rule
     */
    public LeaseName {
        text("lease name", value, MAX_LENGTH);
    }

    @Override
    public int compareTo(LeaseName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
