/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.cluster;

import io.camellease.examples.runner.CleanUp;
import io.camellease.examples.runner.UsageException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** The command {@code ./examples/run cluster-service}. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class Main {

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /** Runs what the command line asks for; its first word is the name of the example. */
    public static void main(String[] arguments) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        try {
            Options options =
                    Options.parse(Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length));
            CleanUp.whenInterrupted(Thread.currentThread(), done);
            boolean passed = new Session(options, System.out).run().passed();
            done.countDown();
            System.exit(passed ? 0 : FAILED);
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
}
