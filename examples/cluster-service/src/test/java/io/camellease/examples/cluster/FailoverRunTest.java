/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.Outcome;
import io.camellease.examples.runner.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real: two JVMs, a store in a third one, a kill and a stop. */
class FailoverRunTest {

    @Test
    @Timeout(300)
    void oneNodeLeadsAtATimeAndTheOtherGoesOn() throws Exception {
        Options options = Options.parse("--ttl", "6s");

        Outcome outcome = new Session(new FailoverPlay(options, System.out), false, System.out).run();

        assertThat(outcome.complaints()).as(outcome.line()).isEmpty();
    }
}
