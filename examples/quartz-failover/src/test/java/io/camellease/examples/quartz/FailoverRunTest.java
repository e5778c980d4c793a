/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.examples.runner.Outcome;
import io.camellease.examples.runner.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real, and short: two JVMs, a store in a third one, and a few seconds of harm. */
class FailoverRunTest {

    @Test
    @Timeout(300)
    void everySlotIsRunOnceWhateverIsDoneToTheNodes() throws Exception {
        Options options = Options.parse(0, "--minutes", "0.1", "--ttl", "2s", "--recover", "true", "--seed", "3");

        Outcome outcome = new Session(new FailoverPlay(options, System.out), false, System.out).run();

        assertThat(outcome.complaints()).as(outcome.line()).isEmpty();
    }
}
