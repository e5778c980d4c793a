/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends what locks want from the store, and feeds their queues what comes back. Confined to the timer thread. */
final class LockCalls {

    /** What became of a renewal. */
    interface Renewed {
        void answered(RenewResult result, Moment sentAt);

        void failed(LeaseStoreException why);
    }

    /** In store timeouts, as that of a lane. */
    private static final int PATIENCE = 2;

    private final LeaseStore store;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final StoreClock clock;
    private final StoreTrouble trouble;

    /** How many calls of each lane the store has answered. */
    private final Map<StoreLane, Long> answers = new HashMap<>();

    LockCalls(LeaseStore store, LeaseSettings settings, LeaseThreads threads) {
        this.store = store;
        this.settings = settings;
        this.threads = threads;
        this.clock = new StoreClock(settings.clockBand().toNanos());
        this.trouble = new StoreTrouble(store.description(), settings.ttl().toNanos(), threads.events());
    }

    void look(List<LockQueue> queues, Runnable fed) {
        List<LeaseName> names = queues.stream().map(LockQueue::name).toList();
        send("find", threads.claims(), () -> store.find(names), new StoreCall.Receiver<>() {
            @Override
            public void answered(Found found, Moment sentAt, Moment now) {
                found.storeNow().ifPresent(storeNow -> {
                    if (clock.read(storeNow, sentAt, now)) {
                        trouble.clockMoved();
                    }
                });
                queues.forEach(queue -> looked(queue, found, now));
                fed.run();
            }

            @Override
            public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
                queues.forEach(queue -> queue.lookFailed(why, now));
                fed.run();
            }
        });
    }

    private void looked(LockQueue queue, Found found, Moment now) {
        LeaseRecord record = found.records().get(queue.name());
        if (record != null) {
            queue.looked(record, clock, now);
        } else {
            queue.unreadable(
                    found.unreadable()
                            .getOrDefault(queue.name(), "the store did not return lease '" + queue.name() + "'"),
                    now);
        }
    }

    void claim(LockQueue queue, Claim claim, Runnable fed) {
        send("claim", threads.claims(), () -> store.claim(claim), new StoreCall.Receiver<>() {
            @Override
            public void answered(ClaimResult result, Moment sentAt, Moment now) {
                queue.claimReplied(claim, sentAt, result, now);
                fed.run();
            }

            @Override
            public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
                queue.claimFailed(claim, sentAt, why, now);
                fed.run();
            }
        });
    }

    void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        Supplier<AttemptId> work = () -> {
            store.abandon(name, holder, attempt);
            return attempt;
        };
        send(
                "abandon",
                threads.claims(),
                work,
                answer -> {},
                why -> trouble.note(
                        "Lock '{}': an attempt could not be given up; if it was granted, it will expire", name));
    }

    /** A release that fails is tried again until the grant is over; the answer tells of the first try. */
    void release(Lease lease, CompletableFuture<Boolean> answer) {
        release(lease, threads.ticker().now().plusNanos(lease.ttl().toNanos()), answer);
    }

    private void release(Lease lease, Moment until, CompletableFuture<Boolean> answer) {
        send("release", threads.renewals(), () -> store.release(lease), answer::complete, why -> {
            long pause = settings.claimInterval().toNanos();
            if (until.nanosSince(threads.ticker().now()) > pause) {
                threads.timer().schedule(() -> release(lease, until, new CompletableFuture<>()), pause);
            }
            answer.completeExceptionally(why);
        });
    }

    void renew(Renewal renewal, Renewed receiver) {
        send("renew", threads.renewals(), () -> store.renew(List.of(renewal)), new StoreCall.Receiver<>() {
            @Override
            public void answered(List<RenewResult> results, Moment sentAt, Moment now) {
                receiver.answered(results.get(0), sentAt);
            }

            @Override
            public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
                receiver.failed(why);
            }
        });
    }

    void setValue(Lease lease, String value, CompletableFuture<Boolean> answer) {
        send(
                "setValue",
                threads.renewals(),
                () -> store.setValue(lease, value),
                answer::complete,
                answer::completeExceptionally);
    }

    void find(List<LeaseName> names, CompletableFuture<Found> answer) {
        send("find", threads.renewals(), () -> store.find(names), answer::complete, answer::completeExceptionally);
    }

    private <T> void send(
            String operation,
            StoreLane lane,
            Supplier<T> work,
            Consumer<T> answered,
            Consumer<LeaseStoreException> failed) {
        send(operation, lane, work, new StoreCall.Receiver<T>() {
            @Override
            public void answered(T answer, Moment sentAt, Moment now) {
                answered.accept(answer);
            }

            @Override
            public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
                failed.accept(why);
            }
        });
    }

    /**
     * Behind a store that hangs, a call may wait for its turn: it is given up as soon as if that had come at once. Behind others that
     * are answered it waits.
     */
    private <T> void send(String operation, StoreLane lane, Supplier<T> work, StoreCall.Receiver<T> receiver) {
        Watched<T> watched = new Watched<>(operation, lane, receiver);
        StoreCall<T> call = new StoreCall<>(work, watched, threads.ticker(), threads.timer());
        watch(call, watched);
        try {
            lane.submit(call);
        } catch (Throwable notTaken) {
            // whoever waits for the outcome must hear of it
            call.abandon();
            throw notTaken;
        }
    }

    private <T> void watch(StoreCall<T> call, Watched<T> watched) {
        long before = answered(watched.lane);
        Runnable look = () -> {
            if (answered(watched.lane) == before) {
                call.abandon();
            } else {
                watch(call, watched);
            }
        };
        watched.watchdog = threads.timer()
                .schedule(look, PATIENCE * settings.storeTimeout().toNanos());
    }

    private long answered(StoreLane lane) {
        return answers.getOrDefault(lane, 0L);
    }

    /** Hears of the outcome of one call. */
    private final class Watched<T> implements StoreCall.Receiver<T> {
        private final String operation;
        private final StoreLane lane;
        private final StoreCall.Receiver<T> receiver;
        private LeaseTimer.Scheduled watchdog = () -> {};

        Watched(String operation, StoreLane lane, StoreCall.Receiver<T> receiver) {
            this.operation = operation;
            this.lane = lane;
            this.receiver = receiver;
        }

        @Override
        public void answered(T answer, Moment sentAt, Moment now) {
            watchdog.cancel();
            answers.merge(lane, 1L, Long::sum);
            trouble.answered(operation, now);
            receiver.answered(answer, sentAt, now);
        }

        @Override
        public void failed(LeaseStoreException why, Moment sentAt, Moment now) {
            watchdog.cancel();
            trouble.failed(operation, why, now);
            receiver.failed(why, sentAt, now);
        }
    }
}
