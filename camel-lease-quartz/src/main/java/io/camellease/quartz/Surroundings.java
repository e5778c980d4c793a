/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

/** What a run needs of the world around it. Thread-safe. */
public interface Surroundings {
    /** Whether work may begin, apart from the lease. */
    default boolean isOpen() {
        return true;
    }

    /** Whether {@link FireGuard#begun} tells when the work of a job that was let in begins; else it begins at once. */
    default boolean tellsBegin() {
        return false;
    }
}
