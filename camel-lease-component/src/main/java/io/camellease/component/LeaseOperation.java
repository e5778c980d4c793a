/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.camel.Message;

/** What a {@code lease:} producer does. */
enum LeaseOperation {
    ACQUIRE,
    RENEW,
    RELEASE,
    GET,
    CHECK,
    LIST;

    /** Takes the results of an earlier operation away, so that they are not taken for those of this one if it fails. */
    void clear(Message message) {
        results().forEach(message::removeHeader);
    }

    private List<String> results() {
        return switch (this) {
            case ACQUIRE -> List.of(LeaseHeaders.ACQUIRED, LeaseHeaders.REMAINING);
            case RENEW -> List.of(LeaseHeaders.REMAINING);
            case RELEASE -> List.of(LeaseHeaders.RELEASED);
            case GET ->
                List.of(
                        LeaseHeaders.HELD,
                        LeaseHeaders.HOLDER,
                        LeaseHeaders.HOLDER_TOKEN,
                        LeaseHeaders.REMAINING,
                        LeaseHeaders.VALUE);
            case CHECK, LIST -> List.of();
        };
    }

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
