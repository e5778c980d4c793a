/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How the tests wait: often enough to see short moments, and never for ever. */
final class Waiting {

    private static final Duration PACE = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Waiting() {}

    /** For what comes by itself; how soon is not the question. */
    static ConditionFactory soon() {
        return Awaitility.await().pollInterval(PACE).pollDelay(Duration.ZERO).atMost(LONGEST);
    }
}
