/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.Outcome;
import io.camellease.examples.runner.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real, and short: three JVMs, an embedded store in a fourth one, and half a minute of harm. */
class ChaosTest {

    @Test
    @Timeout(600)
    void nothingIsWrongAfterHalfAMinuteOfHarm() throws Exception {
        Options options = Options.parse(0, "--minutes", "0.5", "--ttl", "2s", "--seed", "11");

        Outcome outcome = new Session(new ChaosPlay(options, System.out), false, System.out).run();

        // Waits are not judged here, because they depend on how busy the machine is; that everything comes back is.
        assertThat(outcome.complaints()).as(outcome.line()).allMatch(complaint -> complaint.startsWith("stuck: "));
    }
}
