/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

/** Something that a scenario waited for did not happen in time, or cannot happen any more; the message says what. */
final class WaitedTooLong extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WaitedTooLong(String message) {
        super(message);
    }
}
