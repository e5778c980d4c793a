/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

/** Something that must happen did not in time, or cannot happen any more; the message says what. */
public final class GivenUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The message says what does not happen. */
    public GivenUpException(String message) {
        super(message);
    }
}
