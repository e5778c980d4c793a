/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process that this one started. Thread-safe. */
public final class Child {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Process process;

    Child(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** What it is called in messages and in the log. */
    public String name() {
        return name;
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * What it ended with; above 128 it is a signal.
     *
     * @throws IllegalThreadStateException if it has not ended
     */
    public int exitStatus() {
        return process.exitValue();
    }

    /**
     * Sends a signal by its short name, for example STOP, through the shell: not every system has a kill program.
     *
     * @throws IOException if the shell cannot be started, or does not return within 10 s
     */
    public void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid()).start();
        if (!kill.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            kill.destroyForcibly();
            throw new IOException("kill -" + signal + " of " + name + " did not return");
        }
    }

    /** Kills it, also when it is stopped, and waits until it is gone, for 10 s at most. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd(PATIENCE);
    }

    /** Waits for its end; true if it came in time. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
