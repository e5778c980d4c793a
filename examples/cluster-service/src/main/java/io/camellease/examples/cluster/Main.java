/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.CommandLine;
import io.camellease.examples.runner.Session;
import java.io.IOException;
import java.util.Arrays;

/** The command {@code ./examples/run cluster-service}. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class Main {

    private Main() {}

    /** Runs what the command line asks for; its first word is the name of the example. */
    public static void main(String[] arguments) throws IOException {
        CommandLine.run(Main::parse, Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
    }

    private static CommandLine.Command parse(String... arguments) {
        Options options = Options.parse(arguments);
        return () -> new Session(new FailoverPlay(options, System.out), options.keep(), System.out)
                .run()
                .passed();
    }
}
