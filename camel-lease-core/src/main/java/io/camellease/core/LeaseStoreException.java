/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The store could not say. It may have done what was asked, or may still do it: never take this for a refusal. The message
 * contains no password.
 */
public class LeaseStoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What a person can do about it. */
    public enum Problem {
        /** The store does not answer, or not in time: it may pass by itself. */
        UNAVAILABLE,
        /** The store answers, but refuses this process: credentials, rights or settings must be changed. */
        MISCONFIGURED,
        /** The record is damaged or of a newer schema: it must be repaired, or this process updated. */
        UNREADABLE
    }

    private final Problem problem;

    /**
     * @param problem what kind of trouble it is
     * @param message what happened, where, and what to do; without secrets
     * @param cause the driver's exception, or null if there is none
     */
    public LeaseStoreException(Problem problem, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /** What kind of trouble it is. */
    public Problem problem() {
        return problem;
    }
}
