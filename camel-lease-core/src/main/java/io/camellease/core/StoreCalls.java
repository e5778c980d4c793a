/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sends what the machines want from the store, and feeds them what comes back. Confined to the timer thread. */
final class StoreCalls {

    private static final int RENEWALS_PER_CALL = 250;
    private static final int LOOKS_PER_CALL = 1000;

    /** Takes what came back, on the timer thread. Does not throw. */
    interface Feedback {
        /** One machine gets one input. */
        void feed(LeaseElector elector, LeaseMachine.Input input, Moment now);

        /** All machines that an answer was for have got it. */
        void fed();
    }

    private final LeaseStore store;
    private final LeaseSettings settings;
    private final LeaseThreads threads;
    private final Feedback feedback;
    private final StoreClock clock;
    private final StoreTrouble trouble;
    private final Spread spread;

    StoreCalls(LeaseStore store, LeaseSettings settings, LeaseThreads threads, Feedback feedback, Spread spread) {
        this.store = store;
        this.settings = settings;
        this.threads = threads;
        this.feedback = feedback;
        this.spread = spread;
        this.clock = new StoreClock(settings.clockBand().toNanos());
        this.trouble = new StoreTrouble(store.description(), settings.ttl().toNanos(), threads.events());
    }

    /** Why the store failed last, from any thread; empty when it answers. */
    Optional<String> storeTrouble() {
        return trouble.newest();
    }

    // ---- what is sent

    void renew(List<LeaseElector> electors) {
        for (List<LeaseElector> chunk : chunks(electors, RENEWALS_PER_CALL)) {
            // in order, so that a simulation runs the same every time
            Map<LeaseElector, Renewal> renewals = new LinkedHashMap<>();
            chunk.forEach(elector -> renewals.put(elector, elector.machine().nextRenewal()));
            // releases that wait, as of all leases whose source is down, must not cost the others theirs
            submit(() -> renewHeld(renewals), new RenewalsSent(renewals), threads.renewals()::submitFirst);
        }
    }

    /** On the lane: a grant that ended while the call waited for its turn must not be prolonged. */
    private Map<Renewal, RenewResult> renewHeld(Map<LeaseElector, Renewal> renewals) {
        List<Renewal> held = renewals.entrySet().stream()
                .filter(entry -> entry.getKey().holds(entry.getValue().lease()))
                .map(Map.Entry::getValue)
                .toList();
        if (held.isEmpty()) {
            return Map.of();
        }
        List<RenewResult> results = store.renew(held);
        if (results.size() != held.size()) {
            throw new IllegalStateException(
                    "the lease store gave " + results.size() + " answers to " + held.size() + " renewals");
        }
        return IntStream.range(0, held.size()).boxed().collect(Collectors.toMap(held::get, results::get));
    }

    void look(List<LeaseElector> electors) {
        for (List<LeaseElector> chunk : chunks(electors, LOOKS_PER_CALL)) {
            chunk.forEach(elector -> elector.machine().candidacy().lookSent());
            List<LeaseName> names = chunk.stream().map(LeaseElector::name).toList();
            send(threads.claims(), () -> store.find(names), new LooksSent(chunk));
        }
    }

    void claim(LeaseElector elector, Claim claim) {
        // one that waited for its turn until nobody wanted it any more is not sent
        Supplier<Optional<ClaimResult>> work =
                () -> elector.wants(claim) ? Optional.of(store.claim(claim)) : Optional.empty();
        send(threads.claims(), work, new ClaimSent(elector, claim));
    }

    /** A release that fails is tried again for one ttl, if anything is left to release as long as that. */
    void release(Lease lease, boolean isHeld) {
        long patience = isHeld ? settings.ttl().toNanos() : 0;
        release(lease, threads.ticker().now().plusNanos(patience));
    }

    private void release(Lease lease, Moment until) {
        send(threads.renewals(), () -> store.release(lease), new ReleaseSent(lease, until));
    }

    void abandon(LeaseName name, HolderId holder, AttemptId attempt) {
        Supplier<AttemptId> work = () -> {
            store.abandon(name, holder, attempt);
            return attempt;
        };
        send(threads.claims(), work, new AbandonSent(name));
    }

    void advance(LeaseElector elector, Lease lease, String key, Instant slot, CompletableFuture<AdvanceResult> answer) {
        // known before anybody hears of it, as whoever does may ask the elector
        Runnable known = () -> elector.advanced(lease, key, slot);
        send(threads.claims(), () -> store.advance(lease, key, slot), new AdvanceSent(known, answer));
    }

    private <T> void send(StoreLane lane, Supplier<T> work, Outcome<T> outcome) {
        submit(work, outcome, lane::submit);
    }

    private <T> void submit(Supplier<T> work, Outcome<T> outcome, Consumer<StoreLane.Call> lane) {
        StoreCall<T> call = new StoreCall<>(work, outcome, threads.ticker(), threads.timer());
        try {
            lane.accept(call);
        } catch (Throwable notTaken) {
            // whoever waits for the outcome must hear of it
            call.abandon();
            throw notTaken;
        }
    }

    private static <T> List<List<T>> chunks(List<T> all, int size) {
        return IntStream.iterate(0, from -> from < all.size(), from -> from + size)
                .mapToObj(from -> all.subList(from, Math.min(all.size(), from + size)))
                .toList();
    }

    // ---- what comes back

    /** One outcome, with the store's health noted. */
    private abstract class Outcome<T> implements StoreCall.Receiver<T> {

        private final String operation;

        Outcome(String operation) {
            this.operation = operation;
        }

        abstract void accept(T answer, Moment sentAt, Moment now);

        abstract void reject(LeaseStoreException why, Moment sentAt, Moment now);

        @Override
        public final void answered(T answer, Moment sentAt, Moment now) {
            try {
                trouble.answered(operation, now);
                accept(answer, sentAt, now);
            } finally {
                // whatever fails, the loop goes on
                feedback.fed();
            }
        }

        @Override
        public final void failed(LeaseStoreException why, Moment sentAt, Moment now) {
            try {
                trouble.failed(operation, why, now);
                reject(why, sentAt, now);
            } finally {
                feedback.fed();
            }
        }
    }

    private final class RenewalsSent extends Outcome<Map<Renewal, RenewResult>> {
        private final Map<LeaseElector, Renewal> renewals;

        RenewalsSent(Map<LeaseElector, Renewal> renewals) {
            super("renew");
            this.renewals = renewals;
        }

        @Override
        void accept(Map<Renewal, RenewResult> results, Moment sentAt, Moment now) {
            renewals.forEach((elector, renewal) -> {
                RenewResult result = results.get(renewal);
                if (result != null) {
                    elector.tally().renewed(result, now.nanosSince(sentAt));
                    feedback.feed(elector, (machine, at) -> machine.renewReplied(renewal, sentAt, result, at), now);
                }
            });
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            renewals.forEach((elector, renewal) -> {
                elector.tally().renewalFailed();
                feedback.feed(elector, (machine, at) -> machine.renewFailed(renewal, sentAt, at), now);
            });
        }
    }

    private final class LooksSent extends Outcome<Found> {
        private final List<LeaseElector> chunk;

        LooksSent(List<LeaseElector> chunk) {
            super("find");
            this.chunk = chunk;
        }

        @Override
        void accept(Found found, Moment sentAt, Moment now) {
            found.storeNow().ifPresent(storeNow -> {
                if (clock.read(storeNow, sentAt, now)) {
                    trouble.clockMoved();
                }
            });
            chunk.forEach(elector -> seen(elector, found, now));
            spread.turns(chunk, now).forEach((elector, turn) -> feedback.feed(elector, turn, now));
        }

        private void seen(LeaseElector elector, Found found, Moment now) {
            LeaseRecord record = found.records().get(elector.name());
            if (record != null) {
                elector.seen(record);
                feedback.feed(elector, (machine, at) -> looked(elector, machine.candidacy(), record, at), now);
            } else {
                String why = found.unreadable().getOrDefault(elector.name(), "the store did not return it");
                elector.seenUnreadable(why);
                feedback.feed(elector, (machine, at) -> machine.candidacy().unreadable(why, at), now);
            }
        }

        private void looked(LeaseElector elector, Candidacy candidacy, LeaseRecord record, Moment now) {
            if (elector.isSpread()) {
                candidacy.noted(record, clock, now);
            } else {
                candidacy.looked(record, clock, now);
            }
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            chunk.forEach(elector ->
                    feedback.feed(elector, (machine, at) -> machine.candidacy().lookFailed(why.problem(), at), now));
        }
    }

    private final class ClaimSent extends Outcome<Optional<ClaimResult>> {
        private final LeaseElector elector;
        private final Claim claim;

        ClaimSent(LeaseElector elector, Claim claim) {
            super("claim");
            this.elector = elector;
            this.claim = claim;
        }

        @Override
        void accept(Optional<ClaimResult> answer, Moment sentAt, Moment now) {
            answer.ifPresent(result -> accept(result, sentAt, now));
        }

        private void accept(ClaimResult result, Moment sentAt, Moment now) {
            elector.tally().claimed(result);
            if (result instanceof ClaimResult.HeldByOther held) {
                elector.seen(held.record());
            } else if (result instanceof ClaimResult.Granted grant
                    && elector.machine().candidacy().isCurrent(claim)) {
                elector.granted(grant);
            }
            feedback.feed(elector, (machine, at) -> machine.claimReplied(claim, sentAt, result, at), now);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            elector.tally().claimFailed();
            feedback.feed(
                    elector, (machine, at) -> machine.candidacy().claimFailed(claim, sentAt, why.problem(), at), now);
        }
    }

    private final class ReleaseSent extends Outcome<Boolean> {
        private final Lease lease;
        private final Moment until;

        ReleaseSent(Lease lease, Moment until) {
            super("release");
            this.lease = lease;
            this.until = until;
        }

        @Override
        void accept(Boolean released, Moment sentAt, Moment now) {
            trouble.note("Lease '{}' token {}: release answered {}", lease.name(), lease.token(), released);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            long pause = settings.claimInterval().toNanos();
            if (until.nanosSince(now) > pause) {
                threads.timer().schedule(() -> release(lease, until), pause);
            } else {
                trouble.note(
                        "Lease '{}' of {} token {}: the store could not be told of the release, so the lease expires",
                        lease.name(),
                        lease.holder(),
                        lease.token());
            }
        }
    }

    private final class AbandonSent extends Outcome<AttemptId> {
        private final LeaseName name;

        AbandonSent(LeaseName name) {
            super("abandon");
            this.name = name;
        }

        @Override
        void accept(AttemptId attempt, Moment sentAt, Moment now) {
            trouble.note("Lease '{}': attempt {} is given up", name, attempt);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            trouble.note("Lease '{}': an attempt could not be given up; if it was granted, it will expire", name);
        }
    }

    private final class AdvanceSent extends Outcome<AdvanceResult> {
        private final Runnable advanced;
        private final CompletableFuture<AdvanceResult> answer;

        AdvanceSent(Runnable advanced, CompletableFuture<AdvanceResult> answer) {
            super("advance");
            this.advanced = advanced;
            this.answer = answer;
        }

        @Override
        void accept(AdvanceResult result, Moment sentAt, Moment now) {
            if (result == AdvanceResult.ADVANCED) {
                advanced.run();
            }
            answer.complete(result);
        }

        @Override
        void reject(LeaseStoreException why, Moment sentAt, Moment now) {
            answer.completeExceptionally(why);
        }
    }
}
