/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real: two JVMs, a store in a third one, a kill and a stop. */
class FailoverRunTest {

    @Test
    @Timeout(300)
    void oneNodeLeadsAtATimeAndTheOtherGoesOn() throws Exception {
        Verdict verdict = new Session(Options.parse("--ttl", "6s"), System.out).run();

        assertThat(verdict.complaints()).as(verdict.line()).isEmpty();
    }
}
