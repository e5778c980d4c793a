/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks of one process: leases that callers ask for when they need them, for a fixed time, and give back themselves. Nobody
 * renews them in the background, so that a caller that hangs or forgets them does not keep them. Thread-safe; no method blocks
 * but {@link #close}.
 *
 * <p>However many callers want a name, one of them contends for it with other processes; the others wait behind it, first come
 * first served. However many names are waited for, one batched look serves them all. Answers come on the timer thread: what
 * depends on them must not block. Has four threads, whatever the number of locks and callers. The number of callers that wait
 * is not limited: each is somebody's exchange or request, who limits those.
 */
public final class LeaseLocks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLocks.class);

    private final HolderId holder;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final LockLoop loop;
    private final Set<LockWaiter> waiting = ConcurrentHashMap.newKeySet();

    /** What was asked and not answered yet, but for who waits. */
    private final Set<Runnable> asked = ConcurrentHashMap.newKeySet();

    private volatile boolean refusing;
    private volatile boolean closed;

    /**
     * Locks on threads of their own. The caller goes on owning the store.
     *
     * @param holder not the one of a {@link LeaseClient}: a claim of its own holder would end a grant of that one
     * @param settings its claim interval, store timeout and clock band count; the ttl is that of each request
     * @param threads to be used by nobody else; ended by {@link #close}
     */
    public LeaseLocks(LeaseStore store, HolderId holder, LeaseSettings settings, LeaseThreads threads) {
        this.holder = holder;
        this.settings = settings;
        this.threads = threads;
        this.loop = new LockLoop(store, holder, settings, threads);
    }

    /** Who this process is as a holder of locks. */
    public HolderId holder() {
        return holder;
    }

    /**
     * Checks that a grant of that ttl would be of use with the clock band and the timeout of this store.
     *
     * @throws IllegalArgumentException if it would not
     */
    public void requireTtl(Duration ttl) {
        Duration smallest = settings.clockBand().plus(settings.storeTimeout()).multipliedBy(2);
        if (ttl.compareTo(smallest) < 0) {
            throw new IllegalArgumentException("ttl=" + Violations.text(ttl)
                    + " of a lock must be at least 2 x (clockBand + storeTimeout) = " + Violations.text(smallest)
                    + ", or it is over before it can be used");
        }
    }

    /**
     * Wants a lock.
     *
     * @return completes with what became of it, within the timeout of the request and a little; a caller that has gone cancels
     *     it, whereupon the lock is not kept for it
     * @throws IllegalArgumentException see {@link #requireTtl}
     */
    public CompletableFuture<LockResult> acquire(LockRequest request) {
        requireTtl(request.ttl());
        LockWaiter waiter = new LockWaiter(request);
        waiting.add(waiter);
        CompletableFuture<LockResult> answer = waiter.answer();
        threads.timer().execute(() -> loop.join(waiter));
        if (refusing) {
            waiter.deny(LockResult.Why.STOPPED, Optional.empty());
        }
        var unused = answer.whenComplete((result, gone) -> waiting.remove(waiter));
        return answer;
    }

    /**
     * The lock that this process holds under that token, usable or not.
     *
     * @param token see {@link FencingToken}
     */
    public Optional<LeaseLock> held(LeaseName name, long token) {
        return Optional.ofNullable(loop.held().get(name))
                .filter(lock -> lock.lease().token().value() == token);
    }

    /** All locks that this process holds, in no order. */
    public Collection<LeaseLock> held() {
        return List.copyOf(loop.held().values());
    }

    /**
     * Gives a lock back. It cannot be relied on from now on.
     *
     * @return true if the store took it back; false if it is over already, and what was done under it may have overlapped with
     *     the next holder. Fails with {@link LeaseStoreException} if the store could not be told: it is told again until the
     *     grant is over
     */
    public CompletableFuture<Boolean> release(LeaseLock lock) {
        CompletableFuture<Boolean> answer = asked();
        threads.timer().execute(() -> loop.release(lock, answer));
        return answer;
    }

    /**
     * Prolongs a lock: it lasts its ttl from when this is sent.
     *
     * @return true if it was prolonged; false if it is over. Fails with {@link LeaseStoreException} if the outcome is unknown,
     *     and the lock can be relied on as long as before
     */
    public CompletableFuture<Boolean> renew(LeaseLock lock) {
        CompletableFuture<Boolean> answer = asked();
        threads.timer().execute(() -> loop.renew(lock, answer));
        return answer;
    }

    /**
     * Replaces the note for people, only while the lock is held.
     *
     * @return whether it was replaced; fails with {@link LeaseStoreException} if the outcome is unknown
     * @throws IllegalArgumentException if the value is too long
     */
    public CompletableFuture<Boolean> setValue(LeaseLock lock, String value) {
        LeaseStore.requireValue(value);
        CompletableFuture<Boolean> answer = asked();
        threads.timer().execute(() -> loop.calls().setValue(lock.lease(), value, answer));
        return answer;
    }

    /**
     * Reads records, of locks and other leases alike.
     *
     * @return what the store says now; fails with {@link LeaseStoreException} if it does not
     */
    public CompletableFuture<Found> find(Collection<LeaseName> names) {
        List<LeaseName> all = List.copyOf(names);
        CompletableFuture<Found> answer = asked();
        threads.timer().execute(() -> loop.calls().find(all, answer));
        return answer;
    }

    /** An answer that comes even if this is closed before. */
    private <T> CompletableFuture<T> asked() {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable close = () -> answer.completeExceptionally(isClosed());
        asked.add(close);
        if (closed) {
            close.run();
        }
        var unused = answer.whenComplete((result, failure) -> asked.remove(close));
        return answer;
    }

    private static LeaseStoreException isClosed() {
        return new LeaseStoreException(
                LeaseStoreException.Problem.UNAVAILABLE, "the locks of this process are closed", null);
    }

    // ---- the end

    /** Nobody is granted a lock any more: whoever waits is answered now, and whoever comes later at once. */
    public void refuse() {
        refusing = true;
        waiting.forEach(waiter -> waiter.deny(LockResult.Why.STOPPED, Optional.empty()));
    }

    /**
     * As {@link #refuse}; then waits until what was asked of the store so far has been tried, for two store timeouts at most,
     * and ends the threads. Locks that are held are left to expire, as nothing says that the work under them has ended.
     */
    @Override
    public void close() {
        refuse();
        try {
            Moment until =
                    threads.ticker().now().plusNanos(2 * settings.storeTimeout().toNanos());
            boolean idle = threads.timer().awaitIdle(left(until))
                    && threads.claims().awaitIdle(left(until))
                    && threads.timer().awaitIdle(left(until))
                    && threads.renewals().awaitIdle(left(until));
            if (!idle) {
                LOG.info("Closing although the lease store has not answered; locks that are still held will expire");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        threads.close();
        closed = true;
        asked.forEach(Runnable::run);
    }

    private long left(Moment until) {
        return Math.max(0, until.nanosSince(threads.ticker().now()));
    }
}
