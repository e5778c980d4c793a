/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseTimer;
import io.camellease.core.Moment;
import io.camellease.core.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A time that stands still until a test lets it go on, with clocks and timers that follow it. Tasks run in the thread that
 * calls {@link #advance}, in order of their due time, those due at the same time in the order in which they were scheduled;
 * so a run is the same every time.
 *
 * <p>It is itself the clock and the timer of a node whose clocks are exact. {@link #node(long, Duration)} adds nodes whose
 * clocks are not; the clock of a store is a node, too. True time begins at 2026-01-01T00:00:00Z.
 *
 * <p>Thread-safe, except that only one thread may let time go on.
 */
public final class VirtualTime implements Ticker, LeaseTimer {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final long BEGIN_NANOS =
            Duration.between(Instant.EPOCH, BEGIN).toNanos();
    private static final long MAX_RATE_PPM = 500_000;
    private static final int MAX_TASKS_AT_ONCE = 1_000_000;

    private final Object lock = new Object();
    private final List<Node> nodes = new ArrayList<>();
    private final Node exact;

    private Runnable afterEachTask = () -> {};
    private long trueNanos;
    private long tasksScheduled;
    private boolean advancing;

    /** A time at its beginning. */
    public VirtualTime() {
        exact = node(0, Duration.ZERO);
    }

    /**
     * Adds a node with clocks and a timer of its own.
     *
     * @param ratePpm how much faster than true time its clocks run, in parts per million; negative for slower; from -500 000 to
     *     500 000
     * @param wallOffset how far its wall clock is ahead of true time
     */
    public Node node(long ratePpm, Duration wallOffset) {
        if (Math.abs(ratePpm) > MAX_RATE_PPM) {
            throw new IllegalArgumentException("clock rate " + ratePpm + " ppm is not within +-" + MAX_RATE_PPM);
        }
        synchronized (lock) {
            Node node = new Node(ratePpm, wallOffset);
            nodes.add(node);
            return node;
        }
    }

    /** Adds a node that has the clocks of another one in common until it {@link Node#getsOwnClocks}. */
    Node twin(Node of) {
        synchronized (lock) {
            Node node = new Node(of.clock);
            node.paused = of.paused;
            nodes.add(node);
            return node;
        }
    }

    /** True time since the beginning. */
    public Duration elapsed() {
        synchronized (lock) {
            return Duration.ofNanos(trueNanos);
        }
    }

    @Override
    public Moment now() {
        return exact.now();
    }

    @Override
    public void execute(Runnable task) {
        exact.execute(task);
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
        return exact.schedule(task, delayNanos);
    }

    /** Closes the timer of the exact node only. */
    @Override
    public void close() {
        exact.close();
    }

    /**
     * Checks something after every task, in the thread that lets time go on. What it throws ends {@link #advance} at once, so
     * that the state of that moment can be looked at.
     */
    public void afterEachTask(Runnable check) {
        synchronized (lock) {
            afterEachTask = check;
        }
    }

    /**
     * Lets true time go on and runs all tasks that come due, also those that these tasks schedule. A task that throws does not
     * stop the others; the first throwable is thrown at the end, with the others as suppressed ones.
     *
     * @param by zero to run what is due now
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if called from a task, or if tasks schedule each other without end
     */
    public void advance(Duration by) {
        advanceUntil(() -> false, by);
    }

    /**
     * Lets true time go on until the condition holds, which is checked now and after every task.
     *
     * @param limit true time after which it goes on no further
     * @return whether the condition holds
     * @throws IllegalArgumentException if the limit is negative
     * @throws IllegalStateException as {@link #advance}
     */
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("time cannot go on by " + limit);
        }
        begin();
        Failures failures = new Failures();
        boolean holds;
        try {
            holds = run(condition, limit.toNanos(), failures);
        } finally {
            end();
        }
        failures.rethrow();
        return holds;
    }

    private void begin() {
        synchronized (lock) {
            if (advancing) {
                throw new IllegalStateException("time is already going on: advance must not be called from a task");
            }
            advancing = true;
        }
    }

    private void end() {
        synchronized (lock) {
            advancing = false;
        }
    }

    private boolean run(BooleanSupplier condition, long limitNanos, Failures failures) {
        long until = elapsed().toNanos() + limitNanos;
        int tasksAtOnce = 0;
        long before = -1;
        while (!condition.getAsBoolean()) {
            Task task = next(until);
            if (task == null) {
                return condition.getAsBoolean();
            }
            tasksAtOnce = before == elapsed().toNanos() ? tasksAtOnce + 1 : 0;
            before = elapsed().toNanos();
            if (tasksAtOnce > MAX_TASKS_AT_ONCE) {
                throw new IllegalStateException("tasks schedule each other without end at " + elapsed());
            }
            failures.run(task.action);
            afterEachTask.run();
        }
        return true;
    }

    /** Moves true time to the next due task and takes that task; or to the limit, if nothing is due by then. */
    private @Nullable Task next(long until) {
        synchronized (lock) {
            Task first = null;
            long firstDue = Long.MAX_VALUE;
            for (Node node : nodes) {
                Task task = node.head();
                if (task != null && isBefore(task, node.due(task), first, firstDue)) {
                    first = task;
                    firstDue = node.due(task);
                }
            }
            if (first == null || firstDue > until) {
                trueNanos = until;
                return null;
            }
            trueNanos = Math.max(trueNanos, firstDue);
            first.node.tasks.remove(first);
            return first;
        }
    }

    private static boolean isBefore(Task task, long due, @Nullable Task other, long otherDue) {
        return due < otherDue || (due == otherDue && other != null && task.number < other.number);
    }

    /** Collects what tasks throw. Confined to the thread that lets time go on. */
    private static final class Failures {

        private @Nullable Throwable first;

        void run(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException | Error thrown) {
                if (first == null) {
                    first = thrown;
                } else if (first != thrown) {
                    first.addSuppressed(thrown);
                }
            }
        }

        void rethrow() {
            if (first instanceof RuntimeException exception) {
                throw exception;
            }
            if (first instanceof Error error) {
                throw error;
            }
        }
    }

    private record Task(Node node, Runnable action, long dueMonotonic, long number) {}

    /**
     * The clocks and the timer of one node. Its monotonic clock has an origin of its own, so that readings of two nodes cannot
     * be compared by mistake. Thread-safe.
     */
    public final class Node implements Ticker, LeaseTimer {

        private final PriorityQueue<Task> tasks =
                new PriorityQueue<>(Comparator.comparingLong(Task::dueMonotonic).thenComparingLong(Task::number));

        private VirtualClock clock;
        private boolean paused;
        private boolean closed;

        private Node(long ratePpm, Duration wallOffset) {
            // Shortly before zero, because the monotonic clock of a JVM may be negative, too.
            long monotonic = Duration.ofSeconds(-5).minusHours(nodes.size()).toNanos();
            clock = new VirtualClock(ratePpm, trueNanos, monotonic, BEGIN_NANOS + trueNanos + wallOffset.toNanos());
        }

        private Node(VirtualClock clock) {
            this.clock = clock;
        }

        /** From now on its clocks are its own, and read as before. */
        void getsOwnClocks() {
            synchronized (lock) {
                clock = clock.copy();
            }
        }

        @Override
        public Moment now() {
            synchronized (lock) {
                return clock.at(trueNanos);
            }
        }

        @Override
        public void execute(Runnable task) {
            schedule(task, 0);
        }

        @Override
        public Scheduled schedule(Runnable action, long delayNanos) {
            synchronized (lock) {
                if (closed) {
                    return () -> {};
                }
                long due = clock.monotonic(trueNanos) + Math.max(0, delayNanos);
                Task task = new Task(this, action, due, tasksScheduled++);
                tasks.add(task);
                return () -> cancel(task);
            }
        }

        private void cancel(Task task) {
            synchronized (lock) {
                tasks.remove(task);
            }
        }

        /** Drops all tasks, as a process that is killed does; later ones are ignored. The clocks go on. */
        @Override
        public void close() {
            synchronized (lock) {
                closed = true;
                tasks.clear();
                // A simulation that restarts nodes for hours must not slow down with each of them.
                nodes.remove(this);
            }
        }

        /** Steps the wall clock, back if negative. */
        public void stepWall(Duration by) {
            synchronized (lock) {
                clock.stepWall(by);
            }
        }

        /** Freezes the process, as SIGSTOP or a long garbage collection does: both clocks go on, no task runs. */
        public void pause() {
            synchronized (lock) {
                paused = true;
            }
        }

        /** Suspends the host: the wall clock goes on, the monotonic clock stands still, no task runs. */
        public void suspendHost() {
            synchronized (lock) {
                clock.suspend(true, trueNanos);
                paused = true;
            }
        }

        /** Ends a pause or a suspension. Tasks that are overdue run when time goes on next. */
        public void resume() {
            synchronized (lock) {
                clock.suspend(false, trueNanos);
                paused = false;
            }
        }

        private @Nullable Task head() {
            return paused ? null : tasks.peek();
        }

        private long due(Task task) {
            return clock.whenMonotonic(task.dueMonotonic);
        }
    }
}
