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

/** The examples for real: two JVMs, a store and a server in others, and kill -9 of the node that works. */
class KillTest {

    @Test
    @Timeout(180)
    void anotherNodeTakesOverWhenTheHolderIsKilled() throws Exception {
        killAndJudge(Options.parse("file-failover", "--files", "80"));
    }

    @Test
    @Timeout(180)
    void anotherNodeIsLetInByTheFtpServerWhenTheHolderIsKilled() throws Exception {
        killAndJudge(Options.parse("ftp-failover", "--files", "60"));
    }

    @Test
    @Timeout(180)
    void theMessageInWorkComesFirstOnAnotherNodeWhenTheHolderIsKilled() throws Exception {
        History history = killAndJudge(Options.parse("jms-failover", "--messages", "60"));

        assertThat(history.exchanges().stream().filter(Exchange::redelivered))
                .as("the message that was in work at the kill, if one was")
                .hasSize(Verdict.of(history).begunTwice().size());
    }

    private static History killAndJudge(Options options) throws IOException, InterruptedException {
        KillAlone scenario = new KillAlone(options);
        try (BuiltExample built = new BuiltExample(options.example())) {
            assertThat(new Session(new ScenarioPlay(scenario, options, System.out), false, System.out)
                            .run()
                            .passed())
                    .as("passed; what was wrong is printed above")
                    .isTrue();
        }
        return scenario.history;
    }

    /** One kill, and all is done in the end. */
    private static final class KillAlone implements Scenario {

        private final Options options;
        private History history = History.of(List.of());

        private KillAlone(Options options) {
            this.options = options;
        }

        @Override
        public Plan plan() {
            return Plan.of(options.items(), options.ttl(), 1, options.ttl());
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
        public Outcome judge(History happened) {
            history = happened;
            return Result.ofFailover(options.example(), happened, options.ttl());
        }
    }
}
