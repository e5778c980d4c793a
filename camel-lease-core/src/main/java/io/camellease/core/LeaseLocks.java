/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    private static final int LOOKS_PER_CALL = 1000;

    private final HolderId holder;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final LockCalls calls;

    /** Confined to the timer thread. */
    private final Map<LeaseName, LockQueue> queues = new HashMap<>();

    /** What this process holds, for those who check it from other threads. */
    private final Map<LeaseName, LeaseLock> held = new ConcurrentHashMap<>();

    private final Set<LockWaiter> waiting = ConcurrentHashMap.newKeySet();

    /** What was asked and not answered yet, but for who waits. */
    private final Set<CompletableFuture<?>> asked = ConcurrentHashMap.newKeySet();

    private volatile boolean refusing;
    private volatile boolean closed;
    private boolean roundComes;
    private LeaseTimer.@Nullable Scheduled wake;

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
        this.calls = new LockCalls(store, settings, threads);
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
        threads.timer().execute(() -> join(waiter));
        if (refusing) {
            waiter.deny(LockResult.Why.STOPPED, Optional.empty());
        }
        return answer.whenComplete((result, gone) -> waiting.remove(waiter));
    }

    /** On the timer thread, as all that is private here. */
    private void join(LockWaiter waiter) {
        if (waiter.answer().isDone()) {
            return;
        }
        LockRequest request = waiter.request();
        LockQueue queue = queues.computeIfAbsent(request.name(), this::newQueue);
        LeaseTimer.Scheduled deadline = request.isBounded() && !request.isOneTry()
                ? threads.timer()
                        .schedule(() -> leave(queue, waiter), request.timeout().toNanos())
                : () -> {};
        waiter.answer().whenComplete((result, gone) -> {
            deadline.cancel();
            // it may have been answered from outside: by its caller, or because this process is about to end
            threads.timer().execute(() -> leave(queue, waiter));
        });
        queue.join(waiter, now());
        changed(queue);
    }

    private LockQueue newQueue(LeaseName name) {
        Supplier<String> newId = () -> UUID.randomUUID().toString();
        return new LockQueue(name, holder, settings, threads.ticker(), newId, action -> carryOut(name, action));
    }

    private void leave(LockQueue queue, LockWaiter waiter) {
        queue.leave(waiter, LockResult.Why.TIMEOUT, now());
        changed(queue);
    }

    /**
     * The lock that this process holds under that token, usable or not.
     *
     * @param token see {@link FencingToken}
     */
    public Optional<LeaseLock> held(LeaseName name, long token) {
        return Optional.ofNullable(held.get(name))
                .filter(lock -> lock.lease().token().value() == token);
    }

    /** All locks that this process holds, in no order. */
    public Collection<LeaseLock> held() {
        return List.copyOf(held.values());
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
        threads.timer().execute(() -> release(lock, answer));
        return answer;
    }

    private void release(LeaseLock lock, CompletableFuture<Boolean> answer) {
        LockQueue queue = queues.get(lock.lease().name());
        if (lock.isOver(now()) || queue == null || !queue.releasing(lock)) {
            // by the store's clock it may have some time left, which others need not wait for
            calls.release(lock.lease(), new CompletableFuture<>());
            answer.complete(false);
            return;
        }
        changed(queue);
        calls.release(lock.lease(), answer);
        answer.whenComplete((released, unknown) -> {
            queue.released(now());
            changed(queue);
        });
    }

    /**
     * Prolongs a lock: it lasts its ttl from when this is sent.
     *
     * @return true if it was prolonged; false if it is over. Fails with {@link LeaseStoreException} if the outcome is unknown,
     *     and the lock can be relied on as long as before
     */
    public CompletableFuture<Boolean> renew(LeaseLock lock) {
        CompletableFuture<Boolean> answer = asked();
        threads.timer().execute(() -> renew(lock, answer));
        return answer;
    }

    private void renew(LeaseLock lock, CompletableFuture<Boolean> answer) {
        LockQueue queue = queues.get(lock.lease().name());
        if (queue == null || queue.held() != lock || lock.isOver(now())) {
            answer.complete(false);
            return;
        }
        calls.renew(lock.nextRenewal(UUID.randomUUID().toString()), new LockCalls.Renewed() {
            @Override
            public void answered(RenewResult result, Moment sentAt) {
                renewed(queue, lock, sentAt, result, answer);
            }

            @Override
            public void failed(LeaseStoreException why) {
                answer.completeExceptionally(why);
            }
        });
    }

    private void renewed(
            LockQueue queue, LeaseLock lock, Moment sentAt, RenewResult result, CompletableFuture<Boolean> answer) {
        boolean ours = queue.held() == lock && !lock.isOver(now());
        switch (result) {
            case RENEWED -> {
                if (ours) {
                    lock.renewed(sentAt);
                } else {
                    // it came too late for its user, and would keep others from the lock for nothing
                    calls.release(lock.lease(), new CompletableFuture<>());
                }
                answer.complete(ours);
            }
            case LOST -> {
                queue.over(lock, now());
                changed(queue);
                answer.complete(false);
            }
            case STALE ->
                answer.completeExceptionally(new LeaseStoreException(
                        LeaseStoreException.Problem.UNAVAILABLE,
                        "the renewal of " + lock + " was overtaken by another one: renew it again",
                        null));
        }
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
        threads.timer().execute(() -> calls.setValue(lock.lease(), value, answer));
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
        threads.timer().execute(() -> calls.find(all, answer));
        return answer;
    }

    /** An answer that comes even if this is closed before. */
    private <T> CompletableFuture<T> asked() {
        CompletableFuture<T> answer = new CompletableFuture<>();
        asked.add(answer);
        if (closed) {
            answer.completeExceptionally(isClosed());
        }
        answer.whenComplete((result, failure) -> asked.remove(answer));
        return answer;
    }

    private static LeaseStoreException isClosed() {
        return new LeaseStoreException(
                LeaseStoreException.Problem.UNAVAILABLE, "the locks of this process are closed", null);
    }

    // ---- on the timer thread

    private Moment now() {
        return threads.ticker().now();
    }

    private void carryOut(LeaseName name, Action action) {
        LockQueue queue = queues.get(name);
        if (action instanceof Action.SendClaim send && queue != null) {
            calls.claim(queue, send.claim(), () -> changed(queue));
        } else if (action instanceof Action.SendRelease send) {
            calls.release(send.lease(), new CompletableFuture<>());
        } else if (action instanceof Action.SendAbandon send) {
            calls.abandon(name, send.holder(), send.attempt());
        } else if (action instanceof Action.Tell tell && !(tell.event() instanceof LeaseEvent.HolderChanged)) {
            threads.events().execute(() -> EventLog.write(tell.event()));
        }
    }

    /** Something happened in a queue: what it holds is known to others, and what it wants next is done soon. */
    private void changed(LockQueue queue) {
        if (queues.get(queue.name()) != queue) {
            return;
        }
        LeaseLock lock = queue.held();
        LeaseLock before = lock == null ? held.remove(queue.name()) : held.put(queue.name(), lock);
        if (lock != null && lock != before) {
            watchEnd(queue, lock);
        }
        if (queue.isIdle()) {
            queues.remove(queue.name(), queue);
        }
        if (!roundComes) {
            roundComes = true;
            threads.timer().execute(this::round);
        }
    }

    private void watchEnd(LockQueue queue, LeaseLock lock) {
        threads.timer().schedule(() -> endIfOver(queue, lock), lock.nanosToEnd(now()));
    }

    private void endIfOver(LockQueue queue, LeaseLock lock) {
        if (queue.held() != lock) {
            return;
        }
        if (!lock.isOver(now())) {
            watchEnd(queue, lock);
        } else {
            LOG.info(
                    "Lock '{}' token {} was not released in time and is over",
                    queue.name(),
                    lock.lease().token());
            queue.over(lock, now());
            changed(queue);
        }
    }

    /** Looks for all that wait, retries what is due, and wakes up when the next thing is. */
    private void round() {
        roundComes = false;
        Moment now = now();
        List<LockQueue> all = List.copyOf(queues.values());
        all.forEach(queue -> queue.candidacy().retry(now));
        long ahead = settings.claimInterval().toNanos() / 2;
        if (all.stream().anyMatch(queue -> queue.candidacy().lookDue(now.nanos()))) {
            look(all.stream()
                    .filter(queue -> queue.candidacy().lookDue(now.nanos() + ahead))
                    .toList());
        }
        sleep(all, now);
    }

    private void look(List<LockQueue> due) {
        for (int from = 0; from < due.size(); from += LOOKS_PER_CALL) {
            List<LockQueue> chunk = due.subList(from, Math.min(due.size(), from + LOOKS_PER_CALL));
            chunk.forEach(queue -> queue.candidacy().lookSent());
            calls.look(chunk, () -> chunk.forEach(this::changed));
        }
    }

    private void sleep(List<LockQueue> all, Moment now) {
        List<Long> due = new ArrayList<>();
        all.forEach(queue -> queue.candidacy().wakeAt().ifPresent(at -> due.add(at - now.nanos())));
        LeaseTimer.Scheduled before = wake;
        if (before != null) {
            before.cancel();
        }
        wake = due.stream()
                .min(Long::compare)
                .map(nanos -> threads.timer().schedule(this::round, nanos))
                .orElse(null);
    }

    // ---- the end

    /** Nobody is granted a lock any more: whoever waits is answered now, and whoever comes later at once. */
    public void refuse() {
        refusing = true;
        waiting.forEach(waiter -> waiter.deny(LockResult.Why.STOPPED, Optional.empty()));
    }

    /** Locks are granted again after {@link #refuse}. */
    public void admit() {
        refusing = false;
    }

    /**
     * As {@link #refuse}; then waits until what was asked of the store so far has been tried, for two store timeouts at most,
     * and ends the threads. Locks that are held are left to expire, as nothing says that the work under them has ended.
     */
    @Override
    public void close() {
        refuse();
        try {
            Moment until = now().plusNanos(2 * settings.storeTimeout().toNanos());
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
        asked.forEach(answer -> answer.completeExceptionally(isClosed()));
    }

    private long left(Moment until) {
        return Math.max(0, until.nanosSince(now()));
    }
}
