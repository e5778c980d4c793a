/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How the tests wait: often enough to see short moments, and never for ever. */
final class Waiting {

    private static final Duration PACE = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Waiting() {}

    /** For what comes by itself; how soon is not the question. */
    static ConditionFactory soon() {
        return within(LONGEST);
    }

    /** For what a process does that has just been started: on a loaded machine its start alone takes a while. */
    static ConditionFactory inAnotherProcess() {
        return within(LONGEST.multipliedBy(4));
    }

    /** For what must come in time. */
    static ConditionFactory within(Duration longest) {
        return Awaitility.await().pollInterval(PACE).pollDelay(Duration.ZERO).atMost(longest);
    }

    /** Blocks for that time whether interrupted or not, as a driver can. */
    static void outlast(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        boolean interrupted = false;
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(until - System.nanoTime());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fails as soon as the condition does not hold; returns when it held all the time. */
    static void stays(Duration time, Callable<Boolean> condition) {
        within(time.plus(LONGEST))
                .during(time)
                .failFast(() -> !condition.call())
                .until(condition);
    }
}
