/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.CommandLine;
import io.camellease.examples.runner.Session;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code ./examples/run chaos}. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class Main {

    private static final int MAX_SEED = 1_000_000;

    private Main() {}

    /** Runs what the command line asks for; its first word is the name of the example. */
    public static void main(String[] arguments) throws IOException {
        CommandLine.run(Main::parse, Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
    }

    private static CommandLine.Command parse(String... arguments) {
        Options options = Options.parse(ThreadLocalRandom.current().nextInt(MAX_SEED), arguments);
        return () -> new Session(new ChaosPlay(options, System.out), options.keep(), System.out)
                .run()
                .passed();
    }
}
