/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real, and short: three JVMs, an embedded store in a fourth one, and half a minute of harm. */
class ChaosTest {

    @Test
    @Timeout(600)
    void nothingIsWrongAfterHalfAMinuteOfHarm() throws Exception {
        Options options = Options.parse(0, "--minutes", "0.5", "--ttl", "2s", "--seed", "11");

        Result result = new Session(options, System.out).run();

        // Waits are not judged here, because they depend on how busy the machine is; that everything comes back is.
        assertThat(result.complaints()).as(result.line()).allMatch(complaint -> complaint.startsWith("stuck: "));
    }
}
