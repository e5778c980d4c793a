/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one view, and what each knows. They are told one after the other, in the order of events, on the thread of the
 * turns and outside all locks; none is told twice what it knows. Thread-safe.
 */
final class ClusterListeners {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClusterView.class);

    private final LeaseClusterView view;
    private final Executor turns;
    private final BooleanSupplier mayTell;
    private final List<Entry> all = new CopyOnWriteArrayList<>();

    /** Confined to the thread of the turns. */
    private Leadership latest = Leadership.NOBODY;

    private volatile @Nullable Thread teller;

    /** A listener, and what it was told last. */
    private static final class Entry {
        private final CamelClusterEventListener listener;

        /** Confined to the thread of the turns. */
        private Leadership told = Leadership.NOBODY;

        Entry(CamelClusterEventListener listener) {
            this.listener = listener;
        }
    }

    /**
     * Nobody listens yet.
     *
     * @param turns runs one step after the other
     * @param mayTell whether they may be told now; what is kept from them they are told by the next change
     */
    ClusterListeners(LeaseClusterView view, Executor turns, BooleanSupplier mayTell) {
        this.view = view;
        this.turns = turns;
        this.mayTell = mayTell;
    }

    /** One more, who is told the present leader. */
    void add(CamelClusterEventListener listener) {
        all.add(new Entry(listener));
        turns.execute(this::tellLatest);
    }

    void remove(CamelClusterEventListener listener) {
        all.removeIf(entry -> entry.listener.equals(listener));
    }

    /** Tells what is new to them. On the thread of the turns. */
    void tell(Leadership now) {
        latest = now;
        tellLatest();
    }

    private void tellLatest() {
        if (mayTell.getAsBoolean()) {
            all.forEach(this::tellLatest);
        }
    }

    private void tellLatest(Entry entry) {
        if (!latest.equals(entry.told)) {
            entry.told = latest;
            guarded(entry.listener);
        }
    }

    /** Whether any was told last that this process leads. On the thread of the turns. */
    boolean believeToLead() {
        return all.stream().anyMatch(entry -> entry.told.local());
    }

    /** Completes when what they are being told now has been told. */
    CompletableFuture<Void> toldAll() {
        return CompletableFuture.runAsync(() -> {}, turns);
    }

    /** Whether the caller is one of them, who is told just now. */
    boolean isBeingTold() {
        return Thread.currentThread().equals(teller);
    }

    /** A listener that fails must not keep the others from being told. */
    private void guarded(CamelClusterEventListener listener) {
        teller = Thread.currentThread();
        try {
            tell(listener);
        } catch (Throwable thrown) {
            LOG.error("A listener of {} failed", view, thrown);
        } finally {
            teller = null;
        }
    }

    /** That nobody leads is told as null, as Camel's own views do, although 4.22 does not declare it so. */
    @SuppressWarnings("NullAway")
    private void tell(CamelClusterEventListener listener) {
        if (listener instanceof CamelClusterEventListener.Leadership leadership) {
            leadership.leadershipChanged(view, view.member(latest));
        }
    }
}
