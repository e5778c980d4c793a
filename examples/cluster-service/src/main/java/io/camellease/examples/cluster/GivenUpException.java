/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

/** Something that must happen does not; the message says what. */
final class GivenUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GivenUpException(String message) {
        super(message);
    }
}
