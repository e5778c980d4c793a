/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseTimer;
import io.camellease.core.Ticker;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.quartz.JobExecutionContext;
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

    private final LeaseElector elector;
    private final LeaseSettings settings;
    private final Ticker ticker;
    private final Surroundings surroundings;
    private final SchedulerAccess scheduler;
    private final Entrance entrance;
    private final SlotRegister register;
    private final Backlog backlog;
    private final Occupancy occupancy = new Occupancy();
    private final Arrivals arrivals = new Arrivals();
    private final Map<String, Run> runs = new ConcurrentHashMap<>();

    FireGuard(
            LeaseUse use,
            SlotOptions options,
            Surroundings surroundings,
            Function<TriggerKey, SlotKeys> naming,
            SchedulerAccess scheduler) {
        this.elector = use.elector();
        this.settings = use.settings();
        this.ticker = use.ticker();
        this.surroundings = surroundings;
        this.scheduler = scheduler;
        this.entrance = new Entrance(elector, surroundings);
        this.register = new SlotRegister(elector, settings, options);
        this.backlog = new Backlog(use, entrance, register, options, naming, scheduler);
    }

    /**
     * Fires may run under this grant from now on; slots that were missed until now are caught up with. To be called at each
     * grant, and again whenever runs can begin after a time in which they could not. Returns at once.
     */
    public void open(Lease lease) {
        entrance.open(lease);
        backlog.open(lease);
    }

    /** Nothing begins any more. */
    public void shut() {
        entrance.shut();
    }

    /** Whether nothing runs, and nothing is still to be stored about what ran. */
    public boolean isQuiet() {
        return occupancy.isQuiet();
    }

    /** Whether something that may have been let in has not begun its work: to keep it from that would lose its slot. */
    public boolean isAboutToBegin() {
        return !arrivals.areNone();
    }

    /** Waits until {@link #isAboutToBegin} is over, for four store timeouts at most. */
    public void awaitBegun() {
        arrivals.awaitNone(register.longestReservation());
    }

    /** Runs the task as soon as {@link #isQuiet}, which may be now; replaces one that waits still. */
    void whenQuiet(Runnable task) {
        occupancy.whenQuiet(task);
    }

    /** Whether it is open for some grant. */
    boolean isOpen() {
        return entrance.grant().isPresent();
    }

    /** Interrupts the runs of that grant whose jobs can be interrupted. Returns at once. */
    void interrupt(Lease lease) {
        runs.values().stream()
                .filter(run -> run.lease().equals(lease) && run.isInterruptable())
                .forEach(run -> interruptSoon(run.id()));
    }

    /** A job may take its time to be interrupted, and nobody else is to wait for that. */
    private void interruptSoon(String runId) {
        LeaseTimer once = LeaseTimer.thread("lease-quartz-interrupt");
        once.execute(() -> {
            scheduler.interrupt(runId);
            once.close();
        });
    }

    /** The triggers of guarded jobs, on which slots depend. */
    Backlog backlog() {
        return backlog;
    }

    /** Whether the job may run for this fire; blocks for four store timeouts at most. */
    boolean begin(JobExecutionContext context) {
        occupancy.enter();
        arrivals.add(context.getFireInstanceId());
        boolean begins = false;
        try {
            begins = mayBegin(Fire.of(context), context);
        } finally {
            if (!begins || !surroundings.tellsBegin()) {
                begun(context);
            }
            if (!begins) {
                occupancy.leave();
            }
        }
        return begins;
    }

    /** The work of a job that was let in begins. */
    public void begun(JobExecutionContext context) {
        arrivals.remove(context.getFireInstanceId());
    }

    /** The work of a job that {@link #begun} was told of does not begin after all: it can still run under this grant. */
    public void refused(JobExecutionContext context) {
        String id = context.getFireInstanceId();
        if (runs.containsKey(id)) {
            arrivals.add(id);
        }
    }

    private boolean mayBegin(Fire fire, JobExecutionContext context) {
        Optional<Lease> lease = entrance.usable();
        if (fire.isManual() || context.getRefireCount() > 0) {
            return mayBeginWithoutSlot(fire, context, lease);
        }
        if (fire.isRecoveryOfQuartz()) {
            LOG.debug("{} is left to the lease", fire);
            return false;
        }
        Optional<SingletonTrigger> known = backlog.find(fire.trigger());
        if (fire.isCatchUp() && known.filter(trigger -> !trigger.isRemoved()).isEmpty()) {
            return false;
        }
        SingletonTrigger trigger = known.orElseGet(
                () -> backlog.learn(context.getTrigger(), fire.slot().minusMillis(1)));
        if (lease.isEmpty()) {
            backlog.vetoed(trigger, fire.slot());
            return false;
        }
        return mayBegin(fire, trigger, lease.get(), context);
    }

    private boolean mayBeginWithoutSlot(Fire fire, JobExecutionContext context, Optional<Lease> lease) {
        lease.ifPresent(held -> start(Run.withoutSlot(context, held)));
        if (lease.isEmpty()) {
            LOG.warn(
                    "Job {} was {}, but this node does not hold lease '{}': it does not run",
                    fire.job(),
                    fire.isManual() ? "triggered by hand" : "to run again at once",
                    elector.name());
        }
        return lease.isPresent();
    }

    private boolean mayBegin(Fire fire, SingletonTrigger trigger, Lease lease, JobExecutionContext context) {
        if (!fire.isCatchUp() && !backlog.isTimely(trigger, fire.slot(), context)) {
            backlog.misfired(trigger, lease, fire.slot());
            return false;
        }
        SlotLedger.Turn turn = trigger.arrive(lease, fire.slot(), fire.isCatchUp(), now());
        boolean begins =
                switch (turn) {
                    case OVER, LATER -> false;
                    case RECOVER, AGAIN -> true;
                    case RESERVE -> isReserved(trigger, lease, fire.slot());
                };
        LOG.debug("{}: {}, runs: {}", fire, turn, begins);
        if (turn == SlotLedger.Turn.OVER && !fire.isCatchUp()) {
            register.foundOver(lease, trigger, fire.slot(), now());
        }
        if (begins) {
            start(new Run(context, lease, trigger, fire.slot(), turn == SlotLedger.Turn.RECOVER));
        }
        backlog.fireNextSoon(trigger);
        return begins;
    }

    private Instant now() {
        return Instant.ofEpochMilli(ticker.now().wallMillis());
    }

    private boolean isReserved(SingletonTrigger trigger, Lease lease, Instant slot) {
        SlotRegister.Answer answer = SlotRegister.Answer.UNKNOWN;
        boolean begins = false;
        try {
            answer = register.reserve(lease, trigger, slot, now());
            // a lease that is being given back waits for it; begun after the end of the grant it would overlap
            begins = answer == SlotRegister.Answer.RESERVED && entrance.isHeld(lease);
        } finally {
            settle(trigger, lease, slot, answer, begins);
        }
        return begins;
    }

    private void settle(
            SingletonTrigger trigger, Lease lease, Instant slot, SlotRegister.Answer answer, boolean begins) {
        if (begins) {
            trigger.change(lease, ledger -> ledger.begun(slot));
        } else if (answer == SlotRegister.Answer.REFUSED) {
            trigger.change(lease, ledger -> ledger.refused(slot));
        } else {
            trigger.change(lease, SlotLedger::tryAgain);
            backlog.fireNextIn(trigger, settings.claimInterval().toNanos());
        }
    }

    private void start(Run run) {
        runs.put(run.id(), run);
        run.stamp();
    }

    /** The job was kept from running by another listener after it had been let in here: that is as good as a run. */
    void vetoed(JobExecutionContext context) {
        begun(context);
        end(context);
    }

    /** The job ended, however it did: one that failed has run. */
    void end(JobExecutionContext context) {
        boolean hasBegun = !arrivals.remove(context.getFireInstanceId());
        Run run = runs.remove(context.getFireInstanceId());
        if (run == null) {
            return;
        }
        SingletonTrigger trigger = run.trigger();
        Instant slot = run.slot();
        if (trigger == null || slot == null) {
            occupancy.leave();
        } else if (!hasBegun) {
            trigger.change(run.lease(), ledger -> ledger.notLetIn(slot, run.isRepeat()));
            backlog.fireNextIn(trigger, settings.claimInterval().toNanos());
            occupancy.leave();
        } else {
            trigger.change(run.lease(), ledger -> ledger.ended(slot));
            // counts until that is stored: after a release nobody could store it any more
            register.ended(run.lease(), trigger, slot).whenComplete((ignored, failed) -> occupancy.leave());
        }
    }
}
