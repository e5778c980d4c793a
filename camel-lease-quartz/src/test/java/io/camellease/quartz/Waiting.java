/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How the tests wait: often enough to see short moments, and never for ever. */
public final class Waiting {

    private static final Duration PACE = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Waiting() {}

    /** For what comes by itself; how soon is not the question. */
    public static ConditionFactory soon() {
        return within(LONGEST);
    }

    /** For what must come in time. */
    public static ConditionFactory within(Duration longest) {
        return Awaitility.await().pollInterval(PACE).pollDelay(Duration.ZERO).atMost(longest);
    }

    /** Fails as soon as the condition does not hold; returns when it held all the time. */
    public static void stays(Duration time, Callable<Boolean> condition) {
        within(time.plus(LONGEST))
                .during(time)
                .failFast(() -> !condition.call())
                .until(condition);
    }
}
