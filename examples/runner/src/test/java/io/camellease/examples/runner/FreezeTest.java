/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For real: two nodes in JVMs of their own, an embedded store, and the holder frozen for three ttl with files waiting. */
class FreezeTest {

    private static final Options OPTIONS = Options.parse("file-failover", "--files", "120");

    @Test
    @Timeout(180)
    void c16_aHolderThatWasFrozenBeginsNothingWhenItWakes() throws Exception {
        FreezeAlone scenario = new FreezeAlone();

        try (BuiltExample built = new BuiltExample(OPTIONS.example())) {
            assertThat(new Session(new ScenarioPlay(scenario, OPTIONS, System.out), false, System.out)
                            .run()
                            .passed())
                    .as("passed; what was wrong is printed above")
                    .isTrue();
        }

        assertThat(scenario.begunAfterWaking)
                .as("files that the frozen node began after it woke, while another node held the lease")
                .isEmpty();
    }

    /** One freeze in mid-work, time for the node that wakes, and all files are done in the end. */
    private static final class FreezeAlone implements Scenario {

        private List<LogLine> begunAfterWaking = List.of();

        @Override
        public Plan plan() {
            return Plan.of(OPTIONS.items(), OPTIONS.ttl(), 2, OPTIONS.ttl().multipliedBy(4));
        }

        @Override
        public void play(Stage stage) throws IOException, InterruptedException {
            stage.begin();
            stage.steady();
            String frozen = FailoverScenario.freezeHolder(stage);
            int woken = stage.position();
            stage.steady();
            begunAfterWaking = stage.watch().lines().stream()
                    .skip(woken)
                    .filter(line -> line.is("begin") && line.node().equals(frozen))
                    .toList();
            stage.feeder().last(System.nanoTime());
            stage.finish();
        }

        @Override
        public Outcome judge(History history) {
            return Result.ofFailover(OPTIONS.example(), history, OPTIONS.ttl());
        }
    }
}
