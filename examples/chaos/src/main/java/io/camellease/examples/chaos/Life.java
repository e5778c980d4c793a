/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

/**
 * One process of a node, from its launch to its end.
 *
 * @param process the node and the number of its start, for example A#2
 * @param node the node
 * @param launchedAt when it was launched
 * @param startedAt when it said that its routes are there; {@link Span#OPEN} if it never did
 * @param askedAt when it was killed or asked to stop; {@link Span#OPEN} if it never was
 * @param endedAt when it was gone; {@link Span#OPEN} if it never was
 * @param killed whether it had no time to end its work
 */
record Life(String process, String node, long launchedAt, long startedAt, long askedAt, long endedAt, boolean killed) {

    /** From its launch until it had started, or until it was ended before that. */
    Span start() {
        return new Span(launchedAt, Math.min(startedAt, Math.min(askedAt, endedAt)));
    }

    Life started(long at) {
        return new Life(process, node, launchedAt, at, askedAt, endedAt, killed);
    }

    Life asked(long at) {
        return new Life(process, node, launchedAt, startedAt, at, endedAt, killed);
    }

    Life ended(long at) {
        return new Life(process, node, launchedAt, startedAt, askedAt, at, killed);
    }

    /** Killed between the two instants. */
    Life killed(long from, long until) {
        return new Life(process, node, launchedAt, startedAt, Math.min(askedAt, from), until, true);
    }
}
