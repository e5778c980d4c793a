/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lane of a running process. Thread-safe; calls run outside its lock.
 *
 * <p>A store that hangs for good and ignores interrupts costs one thread for every call that is abandoned. There is no limit,
 * because with one the lane would be dead from then on.
 */
final class StoreLaneThread implements StoreLane {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLaneThread.class);

    /** A call whose turn it is, and the thread that makes it. */
    private record Turn(Call call, ExecutorService thread) {}

    private final Supplier<ExecutorService> newThread;
    private final LeaseTimer timer;
    private final long patienceNanos;
    private final Object lock = new Object();
    private final Deque<Call> waiting = new ArrayDeque<>();

    private @Nullable Call running;
    private ExecutorService thread;
    private boolean closed;

    /**
     * A lane whose thread starts with the first call.
     *
     * @param patienceNanos how long a call may run before it is abandoned, in nanoseconds
     */
    StoreLaneThread(String threadName, LeaseTimer timer, long patienceNanos) {
        this(() -> Executors.newSingleThreadExecutor(DaemonThreads.named(threadName)), timer, patienceNanos);
    }

    /**
     * A lane on given threads.
     *
     * @param newThread an executor on one new thread
     */
    StoreLaneThread(Supplier<ExecutorService> newThread, LeaseTimer timer, long patienceNanos) {
        this.newThread = newThread;
        this.timer = timer;
        this.patienceNanos = patienceNanos;
        this.thread = newThread.get();
    }

    @Override
    public void submit(Call call) {
        submit(() -> waiting.addLast(call));
    }

    @Override
    public void submitFirst(Call call) {
        submit(() -> waiting.addFirst(call));
    }

    private void submit(Runnable add) {
        Optional<Turn> next;
        synchronized (lock) {
            if (closed) {
                return;
            }
            add.run();
            next = nextTurn();
        }
        next.ifPresent(this::begin);
    }

    /** Guarded by the lock. */
    private Optional<Turn> nextTurn() {
        if (running != null || waiting.isEmpty()) {
            return Optional.empty();
        }
        running = waiting.remove();
        return Optional.of(new Turn(running, thread));
    }

    private void begin(Turn turn) {
        LeaseTimer.Scheduled watchdog = timer.schedule(() -> abandon(turn), patienceNanos);
        try {
            turn.thread().execute(() -> run(turn, watchdog));
        } catch (Throwable noThread) {
            // the lane was closed meanwhile, or the process has no thread left: then the watchdog ends the call
            LOG.debug("A store call found no thread", noThread);
        }
    }

    private void run(Turn turn, LeaseTimer.Scheduled watchdog) {
        try {
            turn.call().run();
        } finally {
            watchdog.cancel();
            ended(turn);
        }
    }

    private void ended(Turn turn) {
        Optional<Turn> next = Optional.empty();
        synchronized (lock) {
            if (running == turn.call()) {
                running = null;
                next = nextTurn();
            }
        }
        next.ifPresent(this::begin);
    }

    private void abandon(Turn turn) {
        // whoever submitted it may have given it up before: the thread is in it all the same
        boolean unused = turn.call().abandon();
        Optional<Turn> next;
        synchronized (lock) {
            if (running != turn.call() || closed) {
                return;
            }
            thread = newThread.get();
            running = null;
            next = nextTurn();
        }
        turn.thread().shutdownNow();
        next.ifPresent(this::begin);
        LOG.debug("A store call did not come back in time; its thread is replaced");
    }

    @Override
    public boolean awaitIdle(long maxNanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        submit(new Call() {
            @Override
            public void send() {}

            @Override
            public Runnable call() {
                return done::countDown;
            }

            @Override
            public boolean abandon() {
                return false;
            }
        });
        return done.await(maxNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        ExecutorService last;
        synchronized (lock) {
            closed = true;
            waiting.clear();
            last = thread;
        }
        last.shutdownNow();
    }
}
