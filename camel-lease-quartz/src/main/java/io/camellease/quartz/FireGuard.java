/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.AdvanceResult;
import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Pass;
import io.camellease.core.Ticker;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which fires of some triggers may run under one lease, and has those run that no node ran. Thread-safe.
 *
 * <p>A fire runs only if this node holds the lease at that instant, if it is one of the times of the trigger's schedule, and
 * after the store has noted that the slot is taken. It counts as running from before the lease is looked at, so that once
 * nothing is open and nothing counts, nothing runs under the lease and nothing will.
 */
public final class FireGuard {

    private static final Logger LOG = LoggerFactory.getLogger(FireGuard.class);
    private static final int RESERVATION_TIMEOUTS = 4;
    private static final int MAX_REFUSALS = 3;
    private static final long RETRY_NANOS = 1_000_000_000L;

    /** What a run needs of the world around it. */
    public interface Surroundings {
        /** Whether work may begin, apart from the lease. */
        default boolean isOpen() {
            return true;
        }

        /** Whether a job ended with this because it was not let in, so that it has not run. */
        default boolean isRefusal(Throwable thrown) {
            return false;
        }
    }

    /** One execution of the job. */
    private record Run(
            JobExecutionContext context,
            Lease lease,
            @Nullable SingletonTrigger trigger,
            @Nullable Instant slot) {}

    private final LeaseElector elector;
    private final LeaseSettings settings;
    private final Ticker ticker;
    private final SlotOptions options;
    private final Surroundings surroundings;
    private final Function<TriggerKey, SlotKeys> naming;
    private final SchedulerAccess scheduler;

    private final Map<TriggerKey, SingletonTrigger> triggers = new ConcurrentHashMap<>();
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicReference<@Nullable Runnable> whenQuiet = new AtomicReference<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicReference<@Nullable Lease> sweptFor = new AtomicReference<>();
    private volatile @Nullable Lease open;

    FireGuard(
            LeaseUse use,
            SlotOptions options,
            Surroundings surroundings,
            Function<TriggerKey, SlotKeys> naming,
            SchedulerAccess scheduler) {
        this.elector = use.elector();
        this.settings = use.settings();
        this.ticker = use.ticker();
        this.options = options;
        this.surroundings = surroundings;
        this.naming = naming;
        this.scheduler = scheduler;
    }

    // ---- the lease

    /**
     * Fires may run under this grant from now on; slots that were missed until now are caught up with. To be called at each
     * grant, and again whenever runs can begin after a time in which they could not. Returns at once.
     */
    public void open(Lease lease) {
        open = lease;
        scheduler.timer().execute(() -> {
            triggers.values().forEach(trigger -> openOne(trigger, lease));
            if (scheduler.isClustered() && !Objects.equals(sweptFor.getAndSet(lease), lease)) {
                sweep(lease);
            }
        });
    }

    /** Nothing begins any more. */
    public void shut() {
        open = null;
    }

    /** Whether nothing runs, and nothing is still to be stored about what ran. */
    public boolean isQuiet() {
        return busy.get() == 0;
    }

    /** Runs the task as soon as {@link #isQuiet}, which may be now; replaces one that waits still. */
    void whenQuiet(Runnable task) {
        whenQuiet.set(task);
        tellIfQuiet();
    }

    private void leave() {
        busy.decrementAndGet();
        tellIfQuiet();
    }

    private void tellIfQuiet() {
        if (isQuiet()) {
            Runnable task = whenQuiet.getAndSet(null);
            if (task != null) {
                task.run();
            }
        }
    }

    /** Interrupts the runs of that grant whose jobs can be interrupted. */
    void interrupt(Lease lease) {
        for (Run run : runs.values()) {
            if (run.lease().equals(lease) && run.context().getJobInstance() instanceof InterruptableJob) {
                scheduler.interrupt(run.context().getFireInstanceId());
            }
        }
    }

    private Optional<Lease> usable() {
        return elector.check().map(Pass::lease).filter(lease -> lease.equals(open) && surroundings.isOpen());
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }

    // ---- what Quartz says about triggers

    /** A trigger of a guarded job was added or replaced, or is seen for the first time. */
    SingletonTrigger learn(Trigger trigger) {
        SingletonTrigger known = triggers.get(trigger.getKey());
        Schedule schedule = scheduler.schedule(trigger, now());
        if (known == null) {
            SingletonTrigger added = new SingletonTrigger(
                    trigger, scheduler.job(trigger), schedule, naming.apply(trigger.getKey()), options);
            SingletonTrigger raced = triggers.putIfAbsent(trigger.getKey(), added);
            known = raced == null ? added : raced;
        } else {
            known.replace(trigger, scheduler.job(trigger), schedule, now());
        }
        Lease lease = open;
        if (lease != null) {
            SingletonTrigger learnt = known;
            scheduler.timer().execute(() -> openOne(learnt, lease));
        }
        return known;
    }

    /**
     * A trigger, or all of them if null, was removed by somebody; one that fired for the last time stays, to be caught up with.
     * Which of its slots were begun is remembered until the next grant, as it may come back.
     */
    void forget(@Nullable TriggerKey trigger) {
        triggers.forEach((key, known) -> {
            if (trigger == null || key.equals(trigger)) {
                known.remove();
            }
        });
    }

    // ---- catching up, on the timer thread

    private void openOne(SingletonTrigger trigger, Lease lease) {
        if (!lease.equals(open)) {
            return;
        }
        if (trigger.isRemoved()) {
            triggers.remove(trigger.trigger().getKey(), trigger);
            return;
        }
        Map<String, Instant> stored = elector.slotsAtGrant(lease);
        trigger.open(lease, stored, now()).ifPresent(catchUp -> {
            tell(trigger, catchUp);
            store(trigger, lease, stored, catchUp);
        });
        fireNext(trigger);
    }

    private void tell(SingletonTrigger trigger, CatchUp catchUp) {
        if (!catchUp.missed().isEmpty()
                || catchUp.dropped() > 0
                || !catchUp.recovering().isEmpty()) {
            LOG.info(
                    "Trigger {}: since slot {} nobody ran {} slots that are not older than {}; missedFires={}: {} of them"
                            + " run now, {} do not. {} slots that were begun before are run again",
                    trigger.trigger().getKey(),
                    catchUp.reserved(),
                    catchUp.missed().size() + catchUp.dropped(),
                    options.missedFireLimit(),
                    options.missedFires(),
                    catchUp.missed().size(),
                    catchUp.dropped(),
                    catchUp.recovering().size());
        }
    }

    private void store(SingletonTrigger trigger, Lease lease, Map<String, Instant> stored, CatchUp catchUp) {
        SlotKeys keys = trigger.keys();
        if (catchUp.isNewSchedule()) {
            note(lease, keys.since(trigger.schedule()), catchUp.upTo());
        }
        if (catchUp.tracksEnds() && !stored.containsKey(keys.done())) {
            note(lease, keys.done(), catchUp.initialMark());
        }
    }

    private void note(Lease lease, String key, Instant slot) {
        elector.advance(lease, key, slot).whenComplete((result, failed) -> {
            if (failed != null) {
                LOG.debug("Lease '{}': could not store {}; the next grant does", elector.name(), key, failed);
            }
        });
    }

    /** Has the scheduler fire for the next slot that waits. */
    private void fireNext(SingletonTrigger trigger) {
        Lease lease = open;
        if (lease == null) {
            return;
        }
        trigger.next(lease).ifPresent(slot -> {
            try {
                scheduler.catchUp().fire(trigger.trigger(), trigger.job(), slot);
            } catch (SchedulerException | RuntimeException failed) {
                LOG.warn(
                        "Trigger {}: could not be fired for slot {}; trying again",
                        trigger.trigger().getKey(),
                        slot,
                        failed);
                trigger.change(lease, ledger -> ledger.notFired(slot));
                scheduler.timer().schedule(() -> fireNext(trigger), RETRY_NANOS);
            }
        });
    }

    /** Nodes that share a job store fire for one another, and the others' fires are vetoed there; so the holder looks for them. */
    private void sweep(Lease lease) {
        if (lease.equals(open)) {
            for (SingletonTrigger trigger : triggers.values()) {
                if (!scheduler.isPaused(trigger.trigger().getKey())) {
                    trigger.sweep(now());
                    fireNext(trigger);
                }
            }
            scheduler.timer().schedule(() -> sweep(lease), RETRY_NANOS);
        } else {
            sweptFor.compareAndSet(lease, null);
        }
    }

    private void fireNextSoon(SingletonTrigger trigger) {
        scheduler.timer().execute(() -> fireNext(trigger));
    }

    // ---- what Quartz says about fires, on the scheduler's threads

    /** Whether the job may run for this fire; blocks for four store timeouts at most. */
    boolean begin(JobExecutionContext context) {
        busy.incrementAndGet();
        boolean begins = false;
        try {
            begins = mayBegin(Fire.of(context), context);
        } finally {
            if (!begins) {
                leave();
            }
        }
        return begins;
    }

    private boolean mayBegin(Fire fire, JobExecutionContext context) {
        Optional<Lease> lease = usable();
        if (fire.isManual() || context.getRefireCount() > 0) {
            lease.ifPresent(held -> start(new Run(context, held, null, null), false));
            if (lease.isEmpty()) {
                LOG.warn(
                        "Job {} was triggered by hand, but this node does not hold lease '{}': it does not run",
                        fire.job(),
                        elector.name());
            }
            return lease.isPresent();
        }
        if (fire.isRecoveryOfQuartz()) {
            LOG.debug("{} is left to the lease", fire);
            return false;
        }
        SingletonTrigger known = triggers.get(fire.trigger());
        SingletonTrigger trigger = known != null || fire.isCatchUp() ? known : learn(context.getTrigger());
        return trigger != null && lease.isPresent() && mayBegin(fire, trigger, lease.get(), context);
    }

    private boolean mayBegin(Fire fire, SingletonTrigger trigger, Lease lease, JobExecutionContext context) {
        if (!fire.isCatchUp() && !trigger.schedule().contains(fire.slot())) {
            misfired(trigger, lease, context.getTrigger());
            return false;
        }
        SlotLedger.Turn turn = trigger.arrive(lease, fire.slot(), fire.isCatchUp(), now());
        boolean begins =
                switch (turn) {
                    case OVER, LATER -> false;
                    case RECOVER -> true;
                    case RESERVE -> isReserved(trigger, lease, fire.slot());
                };
        LOG.debug("{}: {}, runs: {}", fire, turn, begins);
        if (begins) {
            start(new Run(context, lease, trigger, fire.slot()), turn == SlotLedger.Turn.RECOVER);
        }
        fireNextSoon(trigger);
        return begins;
    }

    /** A misfired trigger fires at some time or other, and one that counts its fires goes on from there. */
    private void misfired(SingletonTrigger trigger, Lease lease, Trigger now) {
        if (!trigger.schedule().isThatOf(now)) {
            trigger.redefine(now, trigger.job(), scheduler.schedule(now, now()));
        }
        if (lease.equals(open)) {
            trigger.fallBehind(now());
        }
        fireNextSoon(trigger);
    }

    private boolean isReserved(SingletonTrigger trigger, Lease lease, Instant slot) {
        Optional<AdvanceResult> answer = reserve(lease, trigger.keys().reserved(), slot);
        if (answer.isEmpty()) {
            trigger.change(lease, SlotLedger::tryAgain);
            scheduler
                    .timer()
                    .schedule(() -> fireNext(trigger), settings.claimInterval().toNanos());
            return false;
        }
        if (answer.get() == AdvanceResult.REFUSED) {
            trigger.change(lease, ledger -> ledger.refused(slot));
            refused(trigger, lease, slot);
            return false;
        }
        refusals.set(0);
        if (usable().filter(lease::equals).isEmpty()) {
            // begun now it would overlap with the next holder's; under the same grant it can still begin later
            trigger.change(lease, SlotLedger::tryAgain);
            return false;
        }
        trigger.change(lease, ledger -> ledger.begun(slot));
        return true;
    }

    private Optional<AdvanceResult> reserve(Lease lease, String key, Instant slot) {
        long longest = settings.storeTimeout().toNanos() * RESERVATION_TIMEOUTS;
        try {
            return Optional.of(
                    elector.advance(lease, key, slot).toCompletableFuture().get(longest, TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException unknown) {
            LOG.warn(
                    "Lease '{}': whether slot {} of {} is reserved is unknown, so it does not run now; it is tried again"
                            + " while this node holds the lease",
                    elector.name(),
                    slot,
                    key,
                    unknown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    private void refused(SingletonTrigger trigger, Lease lease, Instant slot) {
        if (elector.check().map(Pass::lease).filter(lease::equals).isEmpty()) {
            LOG.debug("Slot {} of {} is refused: the lease is over", slot, trigger.keys());
            return;
        }
        LOG.warn(
                "Lease '{}': the store refuses slot {} of trigger {}, so it does not run. The clock of this node ({}) is"
                        + " ahead of the store's by more than 5 s, or the slot or the lease was taken by another node",
                elector.name(),
                slot,
                trigger.trigger().getKey(),
                now());
        if (refusals.incrementAndGet() >= MAX_REFUSALS) {
            refusals.set(0);
            LOG.warn("Lease '{}' is given away, so that a node with a better clock can run its jobs", elector.name());
            elector.giveAway();
        }
    }

    private void start(Run run, boolean isRecovering) {
        runs.put(run.context().getFireInstanceId(), run);
        JobDataMap data = run.context().getMergedJobDataMap();
        data.put(LeaseJobData.LEASE_NAME, run.lease().name().value());
        data.put(LeaseJobData.LEASE_TOKEN, run.lease().token().value());
        if (run.slot() != null) {
            data.put(LeaseJobData.SCHEDULED_TIME, Date.from(run.slot()));
        }
        if (isRecovering) {
            data.put(LeaseJobData.RECOVERING, true);
        }
    }

    /** The job ended, or was kept from running by another listener after it had been let in here. */
    void end(JobExecutionContext context, @Nullable Throwable thrown) {
        Run run = runs.remove(context.getFireInstanceId());
        if (run == null) {
            return;
        }
        SingletonTrigger trigger = run.trigger();
        Instant slot = run.slot();
        if (trigger == null || slot == null || (thrown != null && surroundings.isRefusal(thrown))) {
            leave();
            return;
        }
        trigger.change(run.lease(), ledger -> ledger.ended(slot));
        Optional<Instant> done = tracksEnds(trigger) ? trigger.done(run.lease()) : Optional.empty();
        if (done.isEmpty()) {
            leave();
        } else {
            // counts until it is stored: after a release nobody could store it any more
            elector.advance(run.lease(), trigger.keys().done(), done.get()).whenComplete((result, failed) -> {
                if (failed != null) {
                    LOG.warn(
                            "Lease '{}': it is unknown whether the end of slot {} is stored; the next holder may run it again",
                            elector.name(),
                            slot,
                            failed);
                }
                leave();
            });
        }
    }

    private boolean tracksEnds(SingletonTrigger trigger) {
        Lease lease = open;
        return options.recoverInFlight()
                || (lease != null
                        && elector.slotsAtGrant(lease)
                                .containsKey(trigger.keys().done()));
    }
}
