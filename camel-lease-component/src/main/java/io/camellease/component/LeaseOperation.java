/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a {@code lease:} producer does. */
enum LeaseOperation {
    ACQUIRE,
    RENEW,
    RELEASE,
    GET,
    CHECK,
    LIST;

    /** The operation as it is written in an endpoint. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The operation that is written so; empty if there is none. */
    static Optional<LeaseOperation> parse(String text) {
        return Arrays.stream(values())
                .filter(operation -> operation.text().equals(text))
                .findFirst();
    }

    /** All of them, for messages. */
    static String all() {
        return Arrays.stream(values()).map(LeaseOperation::text).collect(Collectors.joining(", "));
    }
}
