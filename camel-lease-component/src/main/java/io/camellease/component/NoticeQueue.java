/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one consumer's notices one after the other, in order, on a thread that may block. At most {@link #MAX_WAITING} wait:
 * then the oldest is dropped, so that the newest, which says how things are, gets through; the next one says how many were
 * dropped. Steps that are not notices are never dropped. Thread-safe.
 */
final class NoticeQueue {

    /** How many notices wait at most. */
    static final int MAX_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(NoticeQueue.class);

    /** A notice, or a step of our own. */
    private record Entry(@Nullable LeaseNotice notice, Runnable step) {}

    private final String consumer;
    private final Executor executor;
    private final Executor later;
    private final ObjIntConsumer<LeaseNotice> teller;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private int waiting;
    private int missed;
    private boolean running;

    /**
     * An empty queue.
     *
     * @param consumer for logs
     * @param executor gives a thread as long as there is something to tell
     * @param later runs a step some time later, when there may be a thread again
     * @param teller takes a notice, and how many were dropped right before it
     */
    NoticeQueue(String consumer, Executor executor, Executor later, ObjIntConsumer<LeaseNotice> teller) {
        this.consumer = consumer;
        this.executor = executor;
        this.later = later;
        this.teller = teller;
    }

    /** Tells it after all that was added before. */
    void add(LeaseNotice notice) {
        add(new Entry(notice, () -> {}));
    }

    /** Runs it after all that was added before. */
    void run(Runnable step) {
        add(new Entry(null, step));
    }

    /** Whether everything was told. */
    synchronized boolean isIdle() {
        return !running;
    }

    private void add(Entry entry) {
        boolean begins;
        boolean drops;
        synchronized (this) {
            drops = entry.notice() != null && waiting == MAX_WAITING;
            if (drops) {
                dropOldest();
            }
            entries.add(entry);
            waiting += entry.notice() == null ? 0 : 1;
            begins = !running;
            running = true;
        }
        if (drops) {
            LOG.warn("{} is {} events behind: the oldest one that waits is not told", consumer, MAX_WAITING);
        }
        if (begins) {
            begin();
        }
    }

    private void begin() {
        try {
            executor.execute(this::tellAll);
        } catch (Throwable noThread) {
            LOG.warn("{} gets no thread: its events are told later", consumer, noThread);
            later.execute(this::begin);
        }
    }

    /** Guarded by this. */
    private void dropOldest() {
        Iterator<Entry> oldest = entries.iterator();
        while (oldest.hasNext()) {
            if (oldest.next().notice() != null) {
                oldest.remove();
                waiting--;
                missed++;
                return;
            }
        }
    }

    private void tellAll() {
        Entry next = next();
        while (next != null) {
            guarded(next);
            next = next();
        }
    }

    /** Whatever one of them throws, the others are told. */
    private void guarded(Entry entry) {
        LeaseNotice notice = entry.notice();
        try {
            if (notice != null) {
                teller.accept(notice, takeMissed());
            } else {
                entry.step().run();
            }
        } catch (Throwable thrown) {
            LOG.error("{} failed on {}", consumer, notice, thrown);
        }
    }

    private synchronized int takeMissed() {
        int before = missed;
        missed = 0;
        return before;
    }

    private synchronized @Nullable Entry next() {
        Entry next = entries.poll();
        running = next != null;
        waiting -= next != null && next.notice() != null ? 1 : 0;
        return next;
    }
}
