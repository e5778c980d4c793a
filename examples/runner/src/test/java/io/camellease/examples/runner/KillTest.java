/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example for real: two JVMs, a store in a third one, and kill -9 of the node that works. */
class KillTest {

    private static final Options OPTIONS = Options.parse("file-failover", "--files", "80");

    @Test
    @Timeout(180)
    void anotherNodeTakesOverWhenTheHolderIsKilled() throws Exception {
        assertThat(new ScenarioRun(new KillAlone(), OPTIONS, System.out).run())
                .as("passed; what was wrong is printed above")
                .isTrue();
    }

    /** One kill, and all files are done in the end. */
    private static final class KillAlone implements Scenario {

        @Override
        public Plan plan() {
            return Plan.of(OPTIONS.files(), OPTIONS.ttl(), 1, OPTIONS.ttl());
        }

        @Override
        public void play(Stage stage) throws IOException, InterruptedException {
            stage.begin();
            stage.steady();
            FailoverScenario.killHolder(stage);
            stage.feeder().last(System.nanoTime());
            stage.finish();
        }

        @Override
        public Result judge(History history) {
            return Result.ofFailover(history);
        }
    }
}
