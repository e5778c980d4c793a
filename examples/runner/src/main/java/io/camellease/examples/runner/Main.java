/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;

/** The command {@code ./examples/run}. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class Main {

    private Main() {}

    /** Runs what the command line asks for. */
    public static void main(String[] arguments) throws IOException {
        CommandLine.run(Main::parse, arguments);
    }

    private static CommandLine.Command parse(String... arguments) {
        Options options = Options.parse(arguments);
        return () -> run(options);
    }

    private static boolean run(Options options) throws IOException, InterruptedException {
        return switch (options.mode()) {
            case FAILOVER -> play(new FailoverScenario(options), options);
            case OUTAGE -> play(new OutageScenario(options), options);
            case NODE -> {
                new ManualNode(options, System.out).run();
                yield true;
            }
        };
    }

    private static boolean play(Scenario scenario, Options options) throws IOException, InterruptedException {
        return new Session(new ScenarioPlay(scenario, options, System.out), options.keep(), System.out)
                .run()
                .passed();
    }
}
