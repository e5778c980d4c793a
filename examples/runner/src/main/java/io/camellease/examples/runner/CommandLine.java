/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** A command of a person. Exit status: 0 all well, 1 not, 2 wrong command line. */
public final class CommandLine {

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    /** What a command line asks for. */
    public interface Command {
        /**
         * Does it.
         *
         * @return whether all is well
         * @throws InterruptedException if the user interrupts it
         */
        boolean run() throws IOException, InterruptedException;
    }

    /** Understands a command line. */
    public interface Syntax {
        /**
         * Reads it.
         *
         * @throws UsageException if it is wrong; the message says how
         */
        Command parse(String... arguments);
    }

    private CommandLine() {}

    /** Does what a command line asks for, and ends the JVM. */
    public static void run(Syntax syntax, String... arguments) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        try {
            Command command = syntax.parse(arguments);
            CleanUp.whenInterrupted(Thread.currentThread(), done);
            boolean isWell = command.run();
            done.countDown();
            System.exit(isWell ? 0 : FAILED);
        } catch (UsageException wrong) {
            System.err.println(
                    "error: " + wrong.getMessage() + ". Without arguments ./examples/run lists what there is");
            done.countDown();
            System.exit(WRONG_USAGE);
        } catch (InterruptedException interrupted) {
            // No exit: the JVM is going down already.
            System.err.println("interrupted");
        } finally {
            done.countDown();
        }
    }
}
