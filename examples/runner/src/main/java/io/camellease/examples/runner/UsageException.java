/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

/** The command line asks for something that does not exist; the message is for the person who typed it. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The message says what is wrong and what would be right. */
    public UsageException(String message) {
        super(message);
    }
}
