/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One blocking store call with exactly one outcome, which is delivered on the timer thread. Thread-safe.
 *
 * @param <T> what the store answers
 */
final class StoreCall<T> implements StoreLane.Call {

    /** Takes the outcome, on the timer thread. */
    interface Receiver<T> {
        /** The store answered a call that was sent at the given instant. */
        void answered(T answer, Moment sentAt, Moment now);

        /** The outcome of a call that was sent at the given instant is unknown. */
        void failed(LeaseStoreException why, Moment sentAt, Moment now);
    }

    private enum Phase {
        QUEUED,
        SENT,
        OVER
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.QUEUED);
    private final Supplier<T> work;
    private final Receiver<T> receiver;
    private final Ticker ticker;
    private final LeaseTimer timer;
    private volatile @Nullable Moment sentAt;

    StoreCall(Supplier<T> work, Receiver<T> receiver, Ticker ticker, LeaseTimer timer) {
        this.work = work;
        this.receiver = receiver;
        this.ticker = ticker;
        this.timer = timer;
    }

    @Override
    public void send() {
        sentAt = ticker.now();
        phase.compareAndSet(Phase.QUEUED, Phase.SENT);
    }

    @Override
    public Runnable call() {
        Moment sent = sentAt;
        if (sent == null || phase.get() != Phase.SENT) {
            return () -> {};
        }
        try {
            T answer = Objects.requireNonNull(work.get(), "it answered null");
            return () -> deliver(() -> receiver.answered(answer, sent, ticker.now()));
        } catch (LeaseStoreException unknown) {
            return () -> deliver(() -> receiver.failed(withoutSecrets(unknown), sent, ticker.now()));
        } catch (Throwable thrown) {
            return () -> deliver(() -> receiver.failed(unexpected(thrown), sent, ticker.now()));
        }
    }

    private void deliver(Runnable outcome) {
        if (phase.getAndSet(Phase.OVER) == Phase.SENT) {
            timer.execute(outcome);
        }
    }

    @Override
    public boolean abandon() {
        Phase before = phase.getAndSet(Phase.OVER);
        if (before != Phase.OVER) {
            // one that never got a thread was not sent, and will not be
            Moment sent = before == Phase.SENT ? Objects.requireNonNull(sentAt) : ticker.now();
            timer.execute(() -> receiver.failed(late(), sent, ticker.now()));
        }
        return before != Phase.OVER;
    }

    private static LeaseStoreException unexpected(Throwable thrown) {
        return new LeaseStoreException(
                LeaseStoreException.Problem.UNAVAILABLE,
                "the lease store failed unexpectedly: " + Secrets.UNKNOWN.in(thrown),
                Secrets.UNKNOWN.masked(thrown));
    }

    /** It is logged and shown; a store of somebody else's may not know that. */
    private static LeaseStoreException withoutSecrets(LeaseStoreException thrown) {
        Throwable masked = Secrets.UNKNOWN.masked(thrown);
        String message = Secrets.UNKNOWN.in(String.valueOf(thrown.getMessage()));
        return masked == thrown ? thrown : new LeaseStoreException(thrown.problem(), message, masked);
    }

    private static LeaseStoreException late() {
        return new LeaseStoreException(
                LeaseStoreException.Problem.UNAVAILABLE,
                "the lease store did not answer within twice its timeout",
                null);
    }
}
