/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All leases that one holder has or wants in one store. Whatever their number, it uses four threads, and renews and looks in
 * batches. Thread-safe.
 *
 * <p>The timer thread runs the machines of all electors; what they decide goes to two lanes that call the store, and comes
 * back to the timer thread. Renewals that are due soon join one that is due now, so that leases granted at different times
 * end up in one batch; likewise looks.
 */
public final class LeaseClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);

    private static final int RENEWALS_PER_CALL = 250;
    private static final int LOOKS_PER_CALL = 1000;
    private static final int RENEW_AHEAD = 4;
    private static final int LOOK_AHEAD = 2;

    private final LeaseStore store;
    private final HolderId holder;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final Supplier<String> newId;
    private final Map<LeaseName, LeaseElector> electors = new ConcurrentHashMap<>();
    private final AtomicBoolean rounding = new AtomicBoolean();
    private final StoreClock storeClock;
    private final StoreTrouble trouble;
    private LeaseTimer.@Nullable Scheduled wake;

    /** A client on threads of its own. The caller goes on owning the store and closes it after this client. */
    public LeaseClient(LeaseStore store, HolderId holder, LeaseSettings settings) {
        this(store, holder, settings, LeaseThreads.system(settings), () -> UUID.randomUUID()
                .toString());
    }

    /**
     * A client on given threads, for simulation.
     *
     * @param newId a new random text of at most 64 characters at every call
     */
    public LeaseClient(
            LeaseStore store, HolderId holder, LeaseSettings settings, LeaseThreads threads, Supplier<String> newId) {
        this.store = store;
        this.holder = holder;
        this.settings = settings;
        this.threads = threads;
        this.newId = newId;
        this.storeClock = new StoreClock(settings.clockBand().toNanos());
        this.trouble = new StoreTrouble(store.description());
    }

    /**
     * The elector of a name, which does nothing until it is started.
     *
     * @param listener is told of this lease only
     * @param value the note for people that each grant stores, at most {@link LeaseStore#MAX_VALUE_BYTES} bytes
     * @throws IllegalStateException if this client already has one of that name
     */
    public LeaseElector elector(LeaseName name, LeaseListener listener, Supplier<String> value) {
        LeaseElector elector = new LeaseElector(name, this, listener, settings, newId, value);
        if (electors.putIfAbsent(name, elector) != null) {
            throw new IllegalStateException("lease '" + name + "' already has an elector in this client");
        }
        return elector;
    }

    /** Forgets an elector. Its lease, if it holds one, is left to expire. */
    public void remove(LeaseElector elector) {
        electors.remove(elector.name(), elector);
    }

    /** Who this client is. */
    public HolderId holder() {
        return holder;
    }

    /** The durations it goes by. */
    public LeaseSettings settings() {
        return settings;
    }

    /** The clocks it goes by. */
    public Ticker ticker() {
        return threads.ticker();
    }

    /** All electors, in no order. */
    public Collection<LeaseElector> electors() {
        return List.copyOf(electors.values());
    }

    /**
     * Waits until the releases that were asked for so far have been tried, for two store timeouts at most, then ends all
     * threads. What is still held is left to expire.
     */
    @Override
    public void close() {
        long patience = settings.storeTimeout().toNanos() * 2;
        try {
            if (!drainTimer(patience) || !threads.renewals().awaitIdle(patience)) {
                LOG.info("Closing although the lease store has not answered; leases that are still held will expire");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }

    private boolean drainTimer(long patienceNanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        threads.timer().execute(done::countDown);
        return done.await(patienceNanos, TimeUnit.NANOSECONDS);
    }

    // ---- on the timer thread

    /** Feeds one machine, from any thread. */
    void decide(LeaseElector elector, Function<Moment, List<Action>> input) {
        threads.timer().execute(() -> {
            apply(elector, input, ticker().now());
            round();
        });
    }

    private void apply(LeaseElector elector, Function<Moment, List<Action>> input, Moment now) {
        for (Action action : elector.step(input, now)) {
            carryOut(elector, action);
        }
    }

    private void carryOut(LeaseElector elector, Action action) {
        if (action instanceof Action.Tell tell) {
            tell(elector, tell.event());
        } else if (action instanceof Action.SendClaim send) {
            sendClaim(elector, send.claim());
        } else if (action instanceof Action.SendRelease send) {
            sendRelease(send.lease(), ticker().now().plusNanos(settings.ttl().toNanos()));
        } else if (action instanceof Action.SendAbandon send) {
            sendAbandon(elector.name(), send.attempt());
        } else {
            throw new IllegalStateException("unknown action " + action);
        }
    }

    private void tell(LeaseElector elector, LeaseEvent event) {
        EventLog.write(event);
        threads.events().execute(() -> {
            try {
                elector.listener().onEvent(event);
            } catch (Throwable thrown) {
                LOG.error("The listener of lease '{}' failed on {}", event.name(), event, thrown);
            }
        });
    }

    /** Does everything that is due, and wakes up when something is due next. One round serves all inputs before it. */
    private void round() {
        if (rounding.compareAndSet(false, true)) {
            threads.timer().execute(() -> {
                rounding.set(false);
                doRound(ticker().now());
            });
        }
    }

    private void doRound(Moment now) {
        for (LeaseElector elector : electors.values()) {
            if (isDue(elector.machine().wakeAt(), now)) {
                apply(elector, elector.machine()::tick, now);
            }
        }
        sendRenewals(now);
        sendLooks(now);
        wakeAtNext(now);
    }

    private static boolean isDue(Optional<Long> wakeAt, Moment now) {
        return wakeAt.isPresent() && wakeAt.get() - now.nanos() <= 0;
    }

    private void wakeAtNext(Moment now) {
        long soonest = Long.MAX_VALUE;
        for (LeaseElector elector : electors.values()) {
            Optional<Long> at = elector.machine().wakeAt();
            if (at.isPresent()) {
                soonest = Math.min(soonest, at.get() - now.nanos());
            }
        }
        LeaseTimer.Scheduled before = wake;
        if (before != null) {
            before.cancel();
        }
        wake = soonest == Long.MAX_VALUE ? null : threads.timer().schedule(this::round, soonest);
    }

    private List<LeaseElector> due(long nowNanos, long aheadNanos, Due due) {
        Collection<LeaseElector> all = electors.values();
        if (all.stream().noneMatch(elector -> due.isDue(elector.machine(), nowNanos))) {
            return List.of();
        }
        return all.stream()
                .filter(elector -> due.isDue(elector.machine(), nowNanos + aheadNanos))
                .toList();
    }

    private interface Due {
        boolean isDue(LeaseMachine machine, long untilNanos);
    }

    private static <T> List<List<T>> chunks(List<T> all, int size) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            chunks.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return chunks;
    }

    private void sendRenewals(Moment now) {
        long ahead = settings.renewInterval().toNanos() / RENEW_AHEAD;
        for (List<LeaseElector> chunk : chunks(due(now.nanos(), ahead, LeaseMachine::renewalDue), RENEWALS_PER_CALL)) {
            List<Renewal> renewals = chunk.stream()
                    .map(elector -> elector.machine().nextRenewal())
                    .toList();
            send(threads.renewals(), () -> store.renew(renewals), new RenewalsSent(chunk, renewals));
        }
    }

    private void sendLooks(Moment now) {
        long ahead = settings.claimInterval().toNanos() / LOOK_AHEAD;
        for (List<LeaseElector> chunk : chunks(due(now.nanos(), ahead, LeaseMachine::lookDue), LOOKS_PER_CALL)) {
            chunk.forEach(elector -> elector.machine().lookSent());
            List<LeaseName> names = chunk.stream().map(LeaseElector::name).toList();
            send(threads.claims(), () -> store.find(names), new LooksSent(chunk));
        }
    }

    private void sendClaim(LeaseElector elector, Claim claim) {
        send(threads.claims(), () -> store.claim(claim), new ClaimSent(elector, claim));
    }

    private void sendRelease(Lease lease, Moment until) {
        send(threads.renewals(), () -> store.release(lease), new ReleaseSent(lease, until));
    }

    private void sendAbandon(LeaseName name, AttemptId attempt) {
        Supplier<Boolean> work = () -> {
            store.abandon(name, holder, attempt);
            return true;
        };
        send(threads.claims(), work, new Outcome<>() {
            @Override
            void accept(Boolean done, Moment sentAt, Moment now) {
                LOG.debug("Lease '{}': attempt {} is given up", name, attempt);
            }

            @Override
            void reject(LeaseStoreException why, Moment sentAt, Moment now) {
                LOG.debug("Lease '{}': attempt {} could not be given up and will expire", name, attempt);
            }
        });
    }

    private <T> void send(StoreLane lane, Supplier<T> work, Outcome<T> outcome) {
        lane.submit(new StoreCall<>(work, outcome, ticker(), threads.timer()));
    }

    /** What comes back from the store, with the store's health noted and a round afterwards. */
    private abstract class Outcome<T> implements StoreCall.Receiver<T> {

        abstract void accept(T answer, Moment sentAt, Moment now);

        abstract void reject(LeaseStoreException why, Moment sentAt, Moment now);

        @Override
        public final void answered(T answer, Moment sentAt, Moment now) {
            trouble.answered(now);
            accept(answer, sentAt, now);
            round();
        }

        @Override
        public final void failed(LeaseStoreException why, Moment sentAt, Moment now) {
            trouble.failed(why, now);
            reject(why, sentAt, now);
            round();
        }
    }

    private final class RenewalsSent extends Outcome<List<RenewResult>> {
        private final List<LeaseElector> chunk;
        private final List<Renewal> renewals;

        RenewalsSent(List<LeaseElector> chunk, List<Renewal> renewals) {
            this.chunk = chunk;
            this.renewals = renewals;
        }

        @Override
        void accept(List<RenewResult> results, Moment sentAt, Moment now) {
            for (int i = 0; i < chunk.size(); i++) {
                LeaseMachine machine = chunk.get(i).machine();
                Renewal renewal = renewals.get(i);
                RenewResult result = results.get(i);
                apply(chunk.get(i), at -> machine.renewReplied(renewal, sentAt, result, at), now);
            }
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            for (int i = 0; i < chunk.size(); i++) {
                LeaseMachine machine = chunk.get(i).machine();
                Renewal renewal = renewals.get(i);
                apply(chunk.get(i), at -> machine.renewFailed(renewal, at), now);
            }
        }
    }

    private final class LooksSent extends Outcome<Found> {
        private final List<LeaseElector> chunk;

        LooksSent(List<LeaseElector> chunk) {
            this.chunk = chunk;
        }

        @Override
        void accept(Found found, Moment sentAt, Moment now) {
            if (found.storeNow().isPresent() && storeClock.read(found.storeNow().get(), sentAt, now)) {
                LOG.warn(
                        "The clock of the lease store moved against this node's: for one ttl, expired leases are taken over"
                                + " only after this node has watched them stand still itself");
            }
            chunk.forEach(elector -> seen(elector, found, now));
        }

        private void seen(LeaseElector elector, Found found, Moment now) {
            LeaseMachine machine = elector.machine();
            LeaseRecord record = found.records().get(elector.name());
            if (record != null) {
                elector.seen(record);
                apply(elector, at -> machine.looked(record, storeClock.movedAt(), at), now);
            } else {
                String why = found.unreadable().getOrDefault(elector.name(), "the store did not return it");
                apply(elector, at -> machine.unreadable(why, at), now);
            }
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            chunk.forEach(elector -> apply(elector, at -> elector.machine().lookFailed(why.problem(), at), now));
        }
    }

    private final class ClaimSent extends Outcome<ClaimResult> {
        private final LeaseElector elector;
        private final Claim claim;

        ClaimSent(LeaseElector elector, Claim claim) {
            this.elector = elector;
            this.claim = claim;
        }

        @Override
        void accept(ClaimResult result, Moment sentAt, Moment now) {
            if (result instanceof ClaimResult.HeldByOther held) {
                elector.seen(held.record());
            }
            apply(elector, at -> elector.machine().claimReplied(claim, sentAt, result, at), now);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            apply(elector, at -> elector.machine().claimFailed(claim, sentAt, why.problem(), at), now);
        }
    }

    /** A release that failed is tried again while the lease could still be there. */
    private final class ReleaseSent extends Outcome<Boolean> {
        private final Lease lease;
        private final Moment until;

        ReleaseSent(Lease lease, Moment until) {
            this.lease = lease;
            this.until = until;
        }

        @Override
        void accept(Boolean released, Moment sentAt, Moment now) {
            LOG.debug("Lease '{}' token {}: release answered {}", lease.name(), lease.token(), released);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            long pause = settings.claimInterval().toNanos();
            if (until.nanosSince(now) > pause) {
                threads.timer().schedule(() -> sendRelease(lease, until), pause);
            } else {
                LOG.info("Lease '{}' token {} could not be released and will expire", lease.name(), lease.token());
            }
        }
    }
}
