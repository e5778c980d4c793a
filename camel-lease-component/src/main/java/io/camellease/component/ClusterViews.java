/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseTimer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.camel.cluster.CamelClusterView;

/**
 * The views of a cluster service by namespace, and how many use each. A view takes part while somebody uses it and the service
 * runs; count and part change together, under one lock. Thread-safe.
 */
final class ClusterViews {

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<String, Used> byNamespace = new HashMap<>();
    private final Function<String, LeaseClusterView> creator;
    private boolean takePart;

    /**
     * None yet.
     *
     * @param creator makes the view of a namespace when it is asked for
     */
    ClusterViews(Function<String, LeaseClusterView> creator) {
        this.creator = creator;
    }

    /** A view, and how many asked for it and did not give it back. */
    private record Used(LeaseClusterView view, int users) {}

    /**
     * One more uses the view.
     *
     * @throws IllegalArgumentException if the namespace makes no legal lease name; then nobody uses it
     */
    synchronized LeaseClusterView use(String namespace) {
        Used before = byNamespace.get(namespace);
        LeaseClusterView view = before == null ? creator.apply(namespace) : before.view();
        if (takePart) {
            view.start();
        }
        byNamespace.put(namespace, new Used(view, before == null ? 1 : before.users() + 1));
        return view;
    }

    /** One less uses the view; ignored if nobody does. */
    synchronized void giveBack(CamelClusterView view) {
        Used used = byNamespace.get(view.getNamespace());
        if (used != null && used.view().equals(view) && used.users() > 0) {
            byNamespace.put(view.getNamespace(), new Used(used.view(), used.users() - 1));
            if (used.users() == 1) {
                used.view().stop();
            }
        }
    }

    /** The service runs: all that are used take part from now on. */
    synchronized void startAll() {
        takePart = true;
        byNamespace.keySet().forEach(this::start);
    }

    /** Takes part in the namespace again, if anybody uses it and the service runs. */
    synchronized void start(String namespace) {
        Used used = byNamespace.get(namespace);
        if (takePart && used != null && used.users() > 0) {
            used.view().start();
        }
    }

    /** The service ends: none takes part any more, also if listeners ask for it meanwhile. */
    synchronized void stopAll() {
        takePart = false;
        byNamespace.values().forEach(used -> used.view().stop());
    }

    synchronized Optional<LeaseClusterView> find(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace)).map(Used::view);
    }

    synchronized Collection<LeaseClusterView> all() {
        return byNamespace.values().stream().map(Used::view).toList();
    }

    synchronized Collection<String> namespaces() {
        return Set.copyOf(byNamespace.keySet());
    }

    synchronized void clear() {
        byNamespace.clear();
    }

    /** Waits until none of these views holds its lease or wants it; false if that takes longer. */
    static boolean awaitOver(Collection<LeaseClusterView> views, LeaseTimer timer, long nanos)
            throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        look(views, timer, over);
        return over.await(nanos, TimeUnit.NANOSECONDS);
    }

    private static void look(Collection<LeaseClusterView> views, LeaseTimer timer, CountDownLatch over) {
        if (views.stream().allMatch(LeaseClusterView::isOver)) {
            over.countDown();
        } else {
            timer.schedule(() -> look(views, timer, over), LOOK_AGAIN_NANOS);
        }
    }
}
