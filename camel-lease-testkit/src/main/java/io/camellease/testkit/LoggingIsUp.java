/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import org.junit.jupiter.api.extension.Extension;
import org.slf4j.LoggerFactory;

/**
 * Brings SLF4J up before the first test runs, on the one thread that there is then.
 *
 * <p>Threads that ask SLF4J 2.0 for their first logger at the same time can make it fail for the rest of the JVM ({@code Delegate
 * logger cannot be null at this state}), and tests that run side by side begin with just that. JUnit finds this extension by
 * itself where {@code junit.jupiter.extensions.autodetection.enabled} is true. Stateless.
 */
public final class LoggingIsUp implements Extension {

    /** Returns once SLF4J has found its provider. */
    public LoggingIsUp() {
        LoggerFactory.getILoggerFactory();
    }
}
