/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * A thread that only sleeps woke up late, by more than a call of the store may take: the machine was too busy.
 *
 * @param process whose thread, or {@link #RUNNER}
 * @param span from when it fell asleep until it woke
 */
record Stall(String process, Span span) {

    /** The process that harms the others, and through which they reach the store. */
    static final String RUNNER = "runner";
}
