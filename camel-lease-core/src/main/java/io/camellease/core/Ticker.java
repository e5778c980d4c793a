/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** The only door to clocks. Thread-safe. */
public interface Ticker {

    /** Both clocks of this process, now. */
    Moment now();

    /** The clocks of the JVM. */
    static Ticker system() {
        return () -> new Moment(System.nanoTime(), System.currentTimeMillis());
    }
}
