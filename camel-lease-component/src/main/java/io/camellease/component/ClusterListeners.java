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
import java.util.function.Consumer;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one view, and what they know. They are told one after the other, in the order of events, on the thread of the
 * turns and outside all locks. Thread-safe.
 */
final class ClusterListeners {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClusterView.class);

    private final LeaseClusterView view;
    private final Executor turns;
    private final BooleanSupplier mayTell;
    private final List<CamelClusterEventListener> all = new CopyOnWriteArrayList<>();

    /** Confined to the thread of the turns. */
    private Leadership told = Leadership.NOBODY;

    private volatile @Nullable Thread teller;

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
        all.add(listener);
        turns.execute(() -> {
            Leadership now = told;
            if (now.leader() != null && all.contains(listener) && mayTell.getAsBoolean()) {
                guarded(listener, late -> tell(late, now));
            }
        });
    }

    void remove(CamelClusterEventListener listener) {
        all.remove(listener);
    }

    /** Tells what is new to them. On the thread of the turns. */
    void tell(Leadership now) {
        if (!now.equals(told) && mayTell.getAsBoolean()) {
            told = now;
            all.forEach(listener -> guarded(listener, each -> tell(each, now)));
        }
    }

    /** Whether they were told last that this process leads. On the thread of the turns. */
    boolean believeToLead() {
        return told.local() && !all.isEmpty();
    }

    /** Completes when what they are being told now has been told. */
    CompletableFuture<Void> toldAll() {
        return CompletableFuture.runAsync(() -> {}, turns);
    }

    /** Whether the caller is one of them, who is told just now. */
    boolean isBeingTold() {
        return Thread.currentThread().equals(teller);
    }

    /** That nobody leads is told as null, as Camel's own views do, although 4.22 does not declare it so. */
    @SuppressWarnings("NullAway")
    private void tell(CamelClusterEventListener listener, Leadership now) {
        if (listener instanceof CamelClusterEventListener.Leadership leadership) {
            leadership.leadershipChanged(view, view.member(now));
        }
    }

    /** A listener that fails must not keep the others from being told. */
    private void guarded(CamelClusterEventListener listener, Consumer<CamelClusterEventListener> step) {
        teller = Thread.currentThread();
        try {
            step.accept(listener);
        } catch (Throwable thrown) {
            LOG.error("A listener of {} failed", view, thrown);
        } finally {
            teller = null;
        }
    }
}
