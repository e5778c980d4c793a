/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The command {@code ./examples/run}. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class Main {

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /** Runs what the command line asks for. */
    public static void main(String[] arguments) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        try {
            Options options = Options.parse(arguments);
            CleanUp.whenInterrupted(Thread.currentThread(), done);
            int status = run(options);
            done.countDown();
            System.exit(status);
        } catch (UsageException wrong) {
            System.err.println(
                    "error: " + wrong.getMessage() + ". Without arguments ./examples/run lists what there is");
            System.exit(WRONG_USAGE);
        } catch (InterruptedException interrupted) {
            // No exit: the JVM is going down already.
            System.err.println("interrupted");
        } finally {
            done.countDown();
        }
    }

    private static int run(Options options) throws IOException, InterruptedException {
        return switch (options.mode()) {
            case FAILOVER -> status(new ScenarioRun(new FailoverScenario(options), options, System.out).run());
            case OUTAGE -> status(new ScenarioRun(new OutageScenario(options), options, System.out).run());
            case NODE -> {
                new ManualNode(options, System.out).run();
                yield 0;
            }
        };
    }

    private static int status(boolean passed) {
        return passed ? 0 : FAILED;
    }
}
