/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseStoreException.Problem;
import java.time.Duration;

/** What can go wrong with one call of a {@link FaultyLeaseStore}. Immutable. */
public sealed interface Fault {

    /** Nothing goes wrong. */
    record None() implements Fault {}

    /**
     * The call is not applied and throws.
     *
     * @param problem of the exception
     */
    record FailBefore(Problem problem) implements Fault {}

    /**
     * The call is applied, and throws nevertheless.
     *
     * @param problem of the exception
     */
    record FailAfter(Problem problem) implements Fault {}

    /**
     * The call throws at once and is applied later, when nobody waits for it any more.
     *
     * @param afterCalls how many later calls of any kind end before; at least 1. Or when {@link
     *     FaultyLeaseStore#applyLate()} is called, if that is sooner
     */
    record ApplyLate(int afterCalls) implements Fault {

        /** @throws IllegalArgumentException if less than 1 */
        public ApplyLate {
            if (afterCalls < 1) {
                throw new IllegalArgumentException("a late copy comes after 1 call or more, not " + afterCalls);
            }
        }
    }

    /** The call is applied twice and answers as the second time. */
    record Duplicate() implements Fault {}

    /**
     * The call hangs until {@link FaultyLeaseStore#releaseHanging()}, and then goes on as if nothing had happened. If its thread
     * is interrupted meanwhile, it throws.
     *
     * @param applied whether it hangs after it was applied, or before
     */
    record Hang(boolean applied) implements Fault {}

    /**
     * The call takes its time.
     *
     * @param before how long before it is applied
     * @param after how long after that
     */
    record Slow(Duration before, Duration after) implements Fault {}

    /**
     * The call is not applied and throws what no store should throw.
     *
     * @param thrown for example an {@link IllegalStateException}
     */
    record Defect(RuntimeException thrown) implements Fault {}

    /** Nothing goes wrong. */
    static Fault none() {
        return new None();
    }

    /** The request does not arrive: not applied, {@link Problem#UNAVAILABLE}. */
    static Fault lostRequest() {
        return new FailBefore(Problem.UNAVAILABLE);
    }

    /** The reply does not arrive: applied, {@link Problem#UNAVAILABLE}. */
    static Fault lostReply() {
        return new FailAfter(Problem.UNAVAILABLE);
    }

    /** Throws at once and is applied when {@link FaultyLeaseStore#applyLate()} is called. */
    static Fault late() {
        return new ApplyLate(Integer.MAX_VALUE);
    }

    /** Throws at once and is applied after that many later calls. */
    static Fault late(int afterCalls) {
        return new ApplyLate(afterCalls);
    }

    /** Applied twice. */
    static Fault duplicate() {
        return new Duplicate();
    }

    /** Hangs before it is applied. */
    static Fault hang() {
        return new Hang(false);
    }

    /** Hangs after it was applied. */
    static Fault hangAfterApplying() {
        return new Hang(true);
    }

    /** Applied after the delay, which is the way there; the way back takes no time. */
    static Fault slow(Duration before) {
        return new Slow(before, Duration.ZERO);
    }
}
