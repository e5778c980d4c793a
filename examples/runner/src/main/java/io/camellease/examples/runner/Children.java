/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All processes that the runner started; none outlives {@link #close}. Thread-safe. */
public final class Children implements AutoCloseable {

    private final List<Child> children = new ArrayList<>();
    private boolean closed;

    /** None yet. */
    public Children() {}

    /**
     * Starts a process.
     *
     * @param name what it is called in messages and in the log
     * @throws IOException if it cannot be started
     * @throws IllegalStateException if everything is being shut down
     */
    public synchronized Child start(String name, ProcessBuilder builder) throws IOException {
        if (closed) {
            throw new IllegalStateException("no process is started any more: the run is over");
        }
        Child child = new Child(name, builder.start());
        children.add(child);
        return child;
    }

    /** Kills what is still there. A stopped process is continued first, because not every system kills it otherwise. */
    @Override
    public void close() {
        for (Child child : takeAll()) {
            if (child.isAlive()) {
                end(child);
            }
        }
    }

    private synchronized List<Child> takeAll() {
        closed = true;
        List<Child> all = List.copyOf(children);
        children.clear();
        return all;
    }

    private static void end(Child child) {
        try {
            child.signal("CONT");
            child.kill();
        } catch (IOException notSent) {
            System.err.println("could not end " + child.name() + ", process " + child.pid() + ": " + notSent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
