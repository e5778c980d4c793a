/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the machines of all electors on the timer thread: feeds them, carries out what they decide and wakes up when the next
 * thing is due. {@link #decide} is thread-safe; the rest is confined to the timer thread.
 *
 * <p>Nothing that is thrown ends the loop or reaches a second elector, and every round first sees to it that there is a next.
 */
final class LeaseLoop implements StoreCalls.Feedback {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);

    private static final int RENEW_AHEAD = 4;
    private static final int LOOK_AHEAD = 2;

    private interface Due {
        boolean isDue(LeaseMachine machine, long nowNanos, long aheadNanos);
    }

    private final Collection<LeaseElector> electors;
    private final LeaseThreads threads;
    private final StoreCalls calls;
    private final long renewAheadNanos;
    private final long lookAheadNanos;
    private final long longestSleepNanos;

    private boolean roundComes;
    private LeaseTimer.@Nullable Scheduled wake;

    /**
     * A loop that does nothing yet.
     *
     * @param electors a view of all that there are at any time
     */
    LeaseLoop(
            Collection<LeaseElector> electors,
            LeaseStore store,
            HolderId self,
            LeaseSettings settings,
            LeaseThreads threads) {
        this.electors = electors;
        this.threads = threads;
        this.calls =
                new StoreCalls(store, settings, threads, this, new Spread(electors, self, settings, threads.events()));
        this.renewAheadNanos = settings.renewInterval().toNanos() / RENEW_AHEAD;
        this.lookAheadNanos = settings.claimInterval().toNanos() / LOOK_AHEAD;
        this.longestSleepNanos = settings.claimInterval().toNanos();
    }

    /** See {@link LeaseClient#storeTrouble}. */
    Optional<String> storeTrouble() {
        return calls.storeTrouble();
    }

    /** Feeds one machine soon, from any thread. */
    void decide(LeaseElector elector, LeaseMachine.Input input) {
        threads.timer().execute(() -> {
            feed(elector, input, threads.ticker().now());
            fed();
        });
    }

    /** Asks the store soon, from any thread. */
    CompletableFuture<AdvanceResult> advance(LeaseElector elector, Lease lease, String key, Instant slot) {
        CompletableFuture<AdvanceResult> answer = new CompletableFuture<>();
        threads.timer().execute(() -> calls.advance(elector, lease, key, slot, answer));
        return answer;
    }

    @Override
    public void feed(LeaseElector elector, LeaseMachine.Input input, Moment now) {
        guarded(elector, () -> elector.step(input, now)
                .forEach(action -> guarded(elector, () -> carryOut(elector, action))));
    }

    private static void guarded(LeaseElector elector, Runnable step) {
        try {
            step.run();
        } catch (Throwable thrown) {
            LOG.error(
                    "Lease '{}': a step failed. This is a defect of Camel Lease: please report it.",
                    elector.name(),
                    thrown);
        }
    }

    private void carryOut(LeaseElector elector, Action action) {
        if (action instanceof Action.Tell tell) {
            threads.events().execute(() -> elector.tell(tell.event()));
        } else if (action instanceof Action.SendClaim send) {
            calls.claim(elector, send.claim());
        } else if (action instanceof Action.SendRelease send) {
            calls.release(send.lease(), send.isHeld());
        } else if (action instanceof Action.SendAbandon send) {
            calls.abandon(elector.name(), send.holder(), send.attempt());
        } else {
            throw new IllegalStateException("unknown action " + action);
        }
    }

    /** Asks for a round; one serves all inputs before it. */
    @Override
    public void fed() {
        if (!roundComes) {
            roundComes = true;
            threads.timer().execute(this::round);
        }
    }

    /** Does everything that is due. */
    private void round() {
        roundComes = false;
        wakeIn(longestSleepNanos);
        Moment now = threads.ticker().now();
        for (LeaseElector elector : electors) {
            Optional<Long> wakeAt = elector.machine().wakeAt();
            if (wakeAt.isPresent() && wakeAt.get() - now.nanos() <= 0) {
                feed(elector, LeaseMachine::tick, now);
            }
        }
        calls.renew(due(now.nanos(), renewAheadNanos, LeaseMachine::renewalDue));
        calls.look(due(now.nanos(), lookAheadNanos, (machine, at, ahead) -> machine.candidacy()
                .lookDue(at + ahead)));
        sleep(now);
    }

    /** All that will be due soon, if one is due now: so leases that were granted at different times end up in one batch. */
    private List<LeaseElector> due(long nowNanos, long aheadNanos, Due due) {
        if (electors.stream().noneMatch(elector -> due.isDue(elector.machine(), nowNanos, 0))) {
            return List.of();
        }
        return electors.stream()
                .filter(elector -> due.isDue(elector.machine(), nowNanos, aheadNanos))
                .toList();
    }

    private void sleep(Moment now) {
        long soonest = Long.MAX_VALUE;
        for (LeaseElector elector : electors) {
            Optional<Long> at = elector.machine().wakeAt();
            if (at.isPresent()) {
                soonest = Math.min(soonest, at.get() - now.nanos());
            }
        }
        wakeIn(soonest);
    }

    private void wakeIn(long nanos) {
        LeaseTimer.Scheduled before = wake;
        if (before != null) {
            before.cancel();
        }
        wake = nanos == Long.MAX_VALUE ? null : threads.timer().schedule(this::round, nanos);
    }
}
