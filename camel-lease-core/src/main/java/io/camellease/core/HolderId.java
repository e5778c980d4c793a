/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import static io.camellease.core.Checked.text;

import java.util.UUID;

/**
 * Who holds or claims a lease: a node label plus a part that is random per start, never a host name alone, so that two
 * processes of one host, or one process before and after a restart, are never the same holder.
 *
 * @param value 1 to 200 characters under the same rule as {@link LeaseName}
 */
public record HolderId(String value) {

    private static final int MAX_LENGTH = 200;
    private static final int MAX_LABEL = 150;
    private static final int RANDOM_DIGITS = 16;
    private static final char SEPARATOR = '#';

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it breaks the rule above
     */
    public HolderId {
        text("holder id", value, MAX_LENGTH);
    }

    /**
     * A new holder id, different from every other one.
     *
     * @param label for people, for example the host name; 1 to 150 characters
     * @throws IllegalArgumentException if the label breaks the rule of {@link LeaseName} or is longer than 150 characters
     */
    public static HolderId unique(String label) {
        requireLabel(label);
        String random = UUID.randomUUID().toString().replace("-", "").substring(0, RANDOM_DIGITS);
        return new HolderId(label + SEPARATOR + random);
    }

    /**
     * Checks what people call a node.
     *
     * @throws IllegalArgumentException if it breaks the rule of {@link #unique}
     */
    static void requireLabel(String label) {
        text("node label", label, MAX_LABEL);
    }

    /** What people call the node: the part before the random one, or the whole value if it has none. */
    public String label() {
        int end = value.lastIndexOf(SEPARATOR);
        return end < 0 ? value : value.substring(0, end);
    }

    @Override
    public String toString() {
        return value;
    }
}
