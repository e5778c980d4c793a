/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the queues of all locks on the timer thread: feeds them, carries out what they decide and wakes up when the next thing is
 * due. Confined to the timer thread, but for {@link #held}.
 */
final class LockLoop {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLocks.class);
    private static final int LOOKS_PER_CALL = 1000;

    private final HolderId holder;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final LockCalls calls;
    private final Map<LeaseName, LockQueue> queues = new HashMap<>();
    private final Map<LeaseName, LeaseLock> held = new ConcurrentHashMap<>();

    /** What ends them by the clock. */
    private final Map<LeaseName, LeaseTimer.Scheduled> ends = new HashMap<>();

    private boolean roundComes;
    private LeaseTimer.@Nullable Scheduled wake;

    LockLoop(LeaseStore store, HolderId holder, LeaseSettings settings, LeaseThreads threads) {
        this.holder = holder;
        this.settings = settings;
        this.threads = threads;
        this.calls = new LockCalls(store, settings, threads);
    }

    LockCalls calls() {
        return calls;
    }

    /** From any thread: what this process holds. */
    Map<LeaseName, LeaseLock> held() {
        return held;
    }

    /** One more caller. */
    void join(LockWaiter waiter) {
        if (waiter.answer().isDone()) {
            return;
        }
        LockRequest request = waiter.request();
        LockQueue queue = queues.computeIfAbsent(request.name(), this::newQueue);
        LeaseTimer.Scheduled deadline = request.isBounded() && !request.isOneTry()
                ? threads.timer()
                        .schedule(() -> leave(queue, waiter), request.timeout().toNanos())
                : () -> {};
        var unused = waiter.answer().whenComplete((result, gone) -> {
            deadline.cancel();
            // it may have been answered from outside: by its caller, or because this process is about to end
            threads.timer().execute(() -> leave(queue, waiter));
        });
        queue.join(waiter, now());
        changed(queue);
    }

    private LockQueue newQueue(LeaseName name) {
        Supplier<String> newId = () -> UUID.randomUUID().toString();
        return new LockQueue(
                name,
                holder,
                settings,
                threads.ticker(),
                newId,
                action -> carryOut(name, action),
                lock -> granted(name, lock));
    }

    private void leave(LockQueue queue, LockWaiter waiter) {
        queue.leave(waiter, LockResult.Why.TIMEOUT, now());
        changed(queue);
    }

    void release(LeaseLock lock, CompletableFuture<Boolean> answer) {
        LockQueue queue = queues.get(lock.lease().name());
        if (lock.isOver(now()) || queue == null || !queue.releasing(lock)) {
            // by the store's clock it may have some time left, which others need not wait for
            calls.release(lock.lease(), new CompletableFuture<>());
            answer.complete(false);
            return;
        }
        changed(queue);
        // not the caller's: that may be completed by others, on any thread
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        calls.release(lock.lease(), told);
        var unused = told.whenComplete((released, unknown) -> {
            queue.released(now());
            changed(queue);
            if (unknown == null) {
                answer.complete(released);
            } else {
                answer.completeExceptionally(unknown);
            }
        });
    }

    void renew(LeaseLock lock, CompletableFuture<Boolean> answer) {
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

    /** Something happened in a queue: what it does not hold any more is forgotten, and what it wants next is done soon. */
    private void changed(LockQueue queue) {
        if (queues.get(queue.name()) != queue) {
            return;
        }
        if (queue.held() == null && held.remove(queue.name()) != null) {
            Optional.ofNullable(ends.remove(queue.name())).ifPresent(LeaseTimer.Scheduled::cancel);
        }
        if (queue.isIdle()) {
            queues.remove(queue.name(), queue);
        }
        if (!roundComes) {
            roundComes = true;
            threads.timer().execute(this::round);
        }
    }

    /** Before the caller hears of it, who may use it at once. */
    private void granted(LeaseName name, LeaseLock lock) {
        held.put(name, lock);
        watchEnd(name, lock);
    }

    private void watchEnd(LeaseName name, LeaseLock lock) {
        LeaseTimer.Scheduled end = threads.timer().schedule(() -> endIfOver(name, lock), lock.nanosToEnd(now()));
        Optional.ofNullable(ends.put(name, end)).ifPresent(LeaseTimer.Scheduled::cancel);
    }

    private void endIfOver(LeaseName name, LeaseLock lock) {
        LockQueue queue = queues.get(name);
        if (queue == null || queue.held() != lock) {
            return;
        }
        if (lock.isOver(now())) {
            LOG.info("{} was not released in time and is over", lock);
            queue.over(lock, now());
            changed(queue);
        } else {
            watchEnd(name, lock);
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
}
