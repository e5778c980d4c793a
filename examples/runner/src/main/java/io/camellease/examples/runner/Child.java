/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process that this one started. Thread-safe. */
final class Child {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Process process;

    Child(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it ended with; above 128 it is a signal. */
    int exitStatus() {
        return process.exitValue();
    }

    /** Sends a signal by its short name, for example STOP, through the shell: not every system has a kill program. */
    void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid()).start();
        if (!kill.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            kill.destroyForcibly();
            throw new IOException("kill -" + signal + " of " + name + " did not return");
        }
    }

    /** Kills it, also when it is stopped, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd(PATIENCE);
    }

    /** Waits for its end; true if it came in time. */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
