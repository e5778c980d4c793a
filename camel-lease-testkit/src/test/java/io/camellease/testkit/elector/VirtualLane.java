/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit.elector;

import static org.assertj.core.api.Assertions.assertThat;

import io.camellease.core.StoreLane;
import io.camellease.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A lane whose calls may take virtual time: each runs on a thread of its own, and the thread that lets time go on waits until
 * it has ended or waits for time itself. So two of them never run at once, and a run is the same every time.
 */
final class VirtualLane implements StoreLane {

    /** Who runs: the threads of a test hand over to each other. */
    static final class Turn {

        private final Semaphore settled = new Semaphore(0);

        /** Lets another thread run until it ends or waits. */
        private void give(Runnable resume) {
            resume.run();
            try {
                assertThat(settled.tryAcquire(30, TimeUnit.SECONDS))
                        .as("a store call settles")
                        .isTrue();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        private void giveBack() {
            settled.release();
        }

        /** For a call: waits in virtual time. */
        void await(VirtualTime.Node node, Duration delay) {
            if (delay.isZero()) {
                return;
            }
            Semaphore due = new Semaphore(0);
            node.schedule(() -> give(due::release), delay.toNanos());
            giveBack();
            due.acquireUninterruptibly();
        }
    }

    private final VirtualTime.Node node;
    private final Turn turn;
    private final long patienceNanos;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private Call running;

    VirtualLane(VirtualTime.Node node, Turn turn, long patienceNanos) {
        this.node = node;
        this.turn = turn;
        this.patienceNanos = patienceNanos;
    }

    @Override
    public void submit(Call call) {
        waiting.addLast(call);
        begin();
    }

    @Override
    public void submitFirst(Call call) {
        waiting.addFirst(call);
        begin();
    }

    private void begin() {
        if (running == null && !waiting.isEmpty()) {
            Call call = waiting.remove();
            running = call;
            node.schedule(() -> abandon(call), patienceNanos);
            node.execute(() -> turn.give(() -> start(call)));
        }
    }

    private void start(Call call) {
        Thread thread = new Thread(() -> {
            try {
                call.run();
            } finally {
                node.execute(() -> ended(call));
                turn.giveBack();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void ended(Call call) {
        if (running == call) {
            running = null;
            begin();
        }
    }

    private void abandon(Call call) {
        if (call.abandon()) {
            ended(call);
        }
    }

    @Override
    public boolean awaitIdle(long maxNanos) {
        return running == null && waiting.isEmpty();
    }

    @Override
    public void close() {
        waiting.clear();
    }
}
