/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * A thread that makes blocking store calls, one after the other. Thread-safe.
 *
 * <p>A call that is not back in time is abandoned: the lane goes on with the next one on a new thread, so that a store that
 * hangs cannot hold up what comes after it.
 */
public interface StoreLane extends AutoCloseable {

    /** One call, in the three steps that time can pass between. None of them throws. */
    interface Call {
        /** Notes when the call is sent. */
        void send();

        /**
         * Makes the call, which blocks until the store answers.
         *
         * @return delivers the outcome, unless {@link #abandon} comes first
         */
        Runnable call();

        /** All three steps at once. */
        default void run() {
            send();
            call().run();
        }

        /** The call is not back in time. Returns whether it was still open, in which case its outcome is now unknown. */
        boolean abandon();
    }

    /** Queues the call. Ignored after {@link #close}. */
    void submit(Call call);

    /** The same, before all that wait if the lane can: for a call that cannot wait for them. */
    default void submitFirst(Call call) {
        submit(call);
    }

    /**
     * Waits for the calls so far to end.
     *
     * @param maxNanos how long at most, in nanoseconds
     * @return whether they have ended
     */
    boolean awaitIdle(long maxNanos) throws InterruptedException;

    /** Drops the calls that have not begun and interrupts the one that runs. Does not wait. */
    @Override
    void close();
}
