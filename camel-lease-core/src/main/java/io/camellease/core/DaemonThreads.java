/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the JVM alive, named after their role. */
final class DaemonThreads {

    private DaemonThreads() {}

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
