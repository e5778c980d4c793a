/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Stands in a log for an exception whose message holds a secret. Never thrown. */
final class Masked extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * A copy.
     *
     * @param text what the exception said, with its class, without secrets
     * @param trace where it was thrown
     */
    Masked(String text, @Nullable Throwable cause, StackTraceElement[] trace) {
        super(text, cause, false, true);
        setStackTrace(trace);
    }
}
