/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Child;
import io.camellease.examples.runner.Children;
import io.camellease.examples.runner.RunnerLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The process of one node. Confined to one thread. */
final class NodeProcess implements Lane.Target {

    /** Camel itself gives up after 45 s; the work in flight takes some more. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(90);

    private final String node;
    private final Supplier<ProcessBuilder> command;
    private final Children children;
    private final RunnerLog log;
    private Optional<Child> child = Optional.empty();
    private boolean isToRun;
    private long stoppedAt;

    NodeProcess(String node, Supplier<ProcessBuilder> command, Children children, RunnerLog log) {
        this.node = node;
        this.command = command;
        this.children = children;
        this.log = log;
    }

    String node() {
        return node;
    }

    void start() throws IOException {
        long from = System.nanoTime();
        child = Optional.of(children.start(node, command.get()));
        isToRun = true;
        log.write("launch " + node + " from=" + from + " now=" + System.nanoTime());
    }

    /** What it ended with, if it ended though nobody ended it. */
    Optional<Integer> fallen() {
        return child.filter(process -> isToRun && !process.isAlive()).map(Child::exitStatus);
    }

    @Override
    public void harm(PlannedHarm harm) throws IOException, InterruptedException {
        switch (harm.harm()) {
            case KILL -> kill();
            case FREEZE -> signal("STOP", "freeze");
            case STOP -> stop();
            default -> throw new IllegalArgumentException(harm + " is not for a process");
        }
    }

    @Override
    public boolean repair(PlannedHarm harm) throws IOException, InterruptedException {
        if (harm.harm() == Harm.FREEZE) {
            signal("CONT", "thaw");
            return true;
        }
        if (harm.harm() == Harm.STOP && !isGone()) {
            return false;
        }
        start();
        return true;
    }

    /** Asks it to stop; {@link #isGone} then says when it has. */
    void stop() throws IOException, InterruptedException {
        isToRun = false;
        stoppedAt = System.nanoTime();
        signal("TERM", "stop");
    }

    /** Whether it has ended after {@link #stop}; one that takes too long is killed, and that is written down. */
    boolean isGone() throws IOException, InterruptedException {
        if (!child.orElseThrow().isAlive()) {
            log.write("gone " + node + " now=" + System.nanoTime());
            return true;
        }
        if (System.nanoTime() - stoppedAt > STOP_PATIENCE.toNanos()) {
            log.write("overdue " + node + " now=" + System.nanoTime());
            kill();
            return true;
        }
        return false;
    }

    private void kill() throws IOException, InterruptedException {
        isToRun = false;
        long from = System.nanoTime();
        child.orElseThrow().kill();
        log.write("kill " + node + " from=" + from + " now=" + System.nanoTime());
    }

    private void signal(String signal, String word) throws IOException, InterruptedException {
        long from = System.nanoTime();
        child.orElseThrow().signal(signal);
        log.write(word + " " + node + " from=" + from + " now=" + System.nanoTime());
    }
}
