/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseTimer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.camel.cluster.CamelClusterView;

/** The views of a cluster service by namespace, and how many use each. Thread-safe. */
final class ClusterViews {

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<String, Used> byNamespace = new ConcurrentHashMap<>();
    private final Function<String, Used> creator;

    /**
     * None yet.
     *
     * @param creator makes the view of a namespace when it is asked for
     */
    ClusterViews(Function<String, Used> creator) {
        this.creator = creator;
    }

    /**
     * A view.
     *
     * @param users how many asked for it and did not give it back
     * @param turns the thread that it has
     */
    record Used(LeaseClusterView view, AtomicInteger users, ExecutorService turns) {
        Used(LeaseClusterView view, ExecutorService turns) {
            this(view, new AtomicInteger(), turns);
        }
    }

    /** One more uses the view. */
    LeaseClusterView use(String namespace) {
        Used used = byNamespace.computeIfAbsent(namespace, creator);
        used.users().incrementAndGet();
        return used.view();
    }

    /** One less uses the view; returns it if that was the last. */
    Optional<LeaseClusterView> giveBack(CamelClusterView view) {
        return Optional.ofNullable(byNamespace.get(view.getNamespace()))
                .filter(used -> used.view() == view && used.users().decrementAndGet() == 0)
                .map(Used::view);
    }

    Optional<LeaseClusterView> find(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace)).map(Used::view);
    }

    Collection<LeaseClusterView> all() {
        return byNamespace.values().stream().map(Used::view).toList();
    }

    /** Those that somebody uses. */
    Collection<LeaseClusterView> used() {
        return byNamespace.values().stream()
                .filter(used -> used.users().get() > 0)
                .map(Used::view)
                .toList();
    }

    Collection<String> namespaces() {
        return Set.copyOf(byNamespace.keySet());
    }

    /** Whether the caller is a listener that is told just now. */
    boolean areTellingCaller() {
        return all().stream().anyMatch(LeaseClusterView::isTellingCaller);
    }

    /** Waits until no view holds its lease or wants it; false if that takes longer. */
    boolean awaitOver(LeaseTimer timer, long nanos) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        look(timer, over);
        return over.await(nanos, TimeUnit.NANOSECONDS);
    }

    private void look(LeaseTimer timer, CountDownLatch over) {
        if (all().stream().allMatch(LeaseClusterView::isOver)) {
            over.countDown();
        } else {
            timer.schedule(() -> look(timer, over), LOOK_AGAIN_NANOS);
        }
    }

    /** Forgets all of them; returns the threads that they had. */
    Collection<ExecutorService> clear() {
        List<ExecutorService> turns =
                byNamespace.values().stream().map(Used::turns).toList();
        byNamespace.clear();
        return turns;
    }
}
