/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseTimer;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.listeners.SchedulerListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vetoes the fires of singleton jobs on nodes that may not run them. There is one on a scheduler, whatever the number of jobs;
 * a job that nobody guards is left alone. Thread-safe.
 */
public final class LeaseTriggerListener extends TriggerListenerSupport {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseTriggerListener.class);
    private static final String NAME = "camel-lease";
    private static final int ID_LENGTH = 8;
    private static final String LISTENER_FAILED = "Unable to notify";

    /** Knows the guards of some jobs. Thread-safe. */
    public interface Guards {
        /** The guard of a job, made if need be; empty if it is none of these. */
        Optional<FireGuard> of(JobKey job);

        /** All that were made. */
        Collection<FireGuard> all();
    }

    // static, because two callers must find the same listener on one scheduler
    private static final Object ADDING = new Object();

    private final SchedulerAccess access;
    private final CopyOnWriteArrayList<Guards> guards = new CopyOnWriteArrayList<>();
    private final SharedJobStore shared;
    private final Map<String, LetIn> running = new ConcurrentHashMap<>();

    /** A run that may go on, and the thread that it goes on. */
    private record LetIn(FireGuard guard, JobExecutionContext context, Thread thread) {}

    private LeaseTriggerListener(Scheduler scheduler) {
        String id = UUID.randomUUID().toString().substring(0, ID_LENGTH);
        this.access =
                new SchedulerAccess(scheduler, new CatchUpTriggers(scheduler, id), LeaseTimer.thread("lease-quartz"));
        this.shared = new SharedJobStore(guards, access);
    }

    /**
     * The listener of a scheduler, which is added to it unless it has one.
     *
     * @throws SchedulerException if the scheduler takes no listeners
     */
    public static LeaseTriggerListener of(Scheduler scheduler) throws SchedulerException {
        synchronized (ADDING) {
            if (scheduler.getContext().get(NAME) instanceof LeaseTriggerListener present) {
                return present;
            }
            LeaseTriggerListener added = new LeaseTriggerListener(scheduler);
            scheduler.getListenerManager().addTriggerListener(added);
            scheduler.getListenerManager().addJobListener(added.new Ends());
            scheduler.getListenerManager().addSchedulerListener(added.new Changes());
            scheduler.getContext().put(NAME, added);
            return added;
        }
    }

    /**
     * A guard for some jobs of this scheduler, to be added.
     *
     * @param stateName what one trigger's slots are stored under; null to name them after their triggers
     */
    public FireGuard newGuard(
            LeaseUse use, SlotOptions options, Surroundings surroundings, @Nullable String stateName) {
        return new FireGuard(
                use,
                options,
                surroundings,
                trigger -> stateName == null ? SlotKeys.of(trigger) : SlotKeys.of(stateName),
                access);
    }

    /** From now on these jobs are guarded. */
    public void add(Guards added) {
        guards.addIfAbsent(added);
    }

    /** Looks which of these jobs the scheduler has already. Its job store must be open: it is when the scheduler starts. */
    public void learn(Guards added) {
        // first, since it makes up for a store that cannot be read now
        shared.watch();
        try {
            access.scheduler().getJobKeys(GroupMatcher.anyJobGroup()).forEach(job -> learn(added, job));
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the jobs of the scheduler cannot be listed", failed);
        }
    }

    /** One that cannot be guarded runs nowhere, and keeps no other one from it. */
    private void learn(Guards added, JobKey job) {
        try {
            Optional<FireGuard> guard = added.of(job);
            if (guard.isPresent()) {
                access.triggers(job).forEach(guard.get().backlog()::learn);
            }
        } catch (SchedulerException | RuntimeException failed) {
            LOG.error("Job {} cannot be guarded, so it does not run: {}", job, failed.getMessage(), failed);
        }
    }

    /** These jobs are guarded no longer. */
    public void remove(Guards removed) {
        guards.remove(removed);
    }

    SchedulerAccess access() {
        return access;
    }

    private Stream<FireGuard> all() {
        return guards.stream().flatMap(some -> some.all().stream());
    }

    private Optional<FireGuard> guard(JobKey job) {
        return guards.stream().flatMap(some -> some.of(job).stream()).findFirst();
    }

    @Override
    public String getName() {
        return NAME;
    }

    /** Whether the job must not run now. Any failure to tell counts as yes. */
    @Override
    public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
        JobKey job = context.getJobDetail().getKey();
        try {
            Optional<FireGuard> guard = guard(job);
            boolean mayRun = guard.isEmpty() || guard.get().begin(context);
            if (mayRun) {
                guard.ifPresent(begun ->
                        running.put(context.getFireInstanceId(), new LetIn(begun, context, Thread.currentThread())));
            }
            return !mayRun;
        } catch (RuntimeException failed) {
            LOG.error("Job {} does not run, because it cannot be told whether it may", job, failed);
            return true;
        }
    }

    private Optional<FireGuard> guardOfRun(JobExecutionContext context) {
        return Optional.ofNullable(running.remove(context.getFireInstanceId())).map(LetIn::guard);
    }

    /** Is told when a job that was let in has ended. */
    private final class Ends extends JobListenerSupport {
        @Override
        public String getName() {
            return NAME;
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException thrown) {
            guardOfRun(context).ifPresent(guard -> guard.end(context));
            if (thrown != null && thrown.unscheduleFiringTrigger() && isCatchUp(context.getTrigger())) {
                access.timer().execute(() -> access.catchUp().unscheduleOriginal(context.getTrigger()));
            }
        }

        private static boolean isCatchUp(Trigger trigger) {
            return trigger.getKey().getGroup().equals(CatchUpTriggers.GROUP);
        }

        @Override
        public void jobExecutionVetoed(JobExecutionContext context) {
            guardOfRun(context).ifPresent(guard -> guard.vetoed(context));
        }
    }

    /** Is told which triggers there are. */
    private final class Changes extends SchedulerListenerSupport {
        /** One without a trigger may be triggered by hand, and only a holder runs it. */
        @Override
        public void jobAdded(JobDetail job) {
            var unused = guard(job.getKey());
        }

        @Override
        public void jobScheduled(Trigger trigger) {
            if (Fire.hasSlots(trigger)) {
                guard(trigger.getJobKey()).ifPresent(guard -> guard.backlog().learn(trigger));
            }
        }

        @Override
        public void jobUnscheduled(TriggerKey trigger) {
            all().forEach(guard -> guard.backlog().forget(trigger));
        }

        /** All that is told of jobs that are deleted together. */
        @Override
        public void jobDeleted(JobKey job) {
            all().forEach(guard -> guard.backlog().forget(job));
        }

        @Override
        public void schedulingDataCleared() {
            all().forEach(guard -> guard.backlog().forgetAll());
        }

        @Override
        public void triggerResumed(TriggerKey trigger) {
            resumed();
        }

        @Override
        public void triggersResumed(@Nullable String group) {
            resumed();
        }

        @Override
        public void jobResumed(JobKey job) {
            resumed();
        }

        @Override
        public void jobsResumed(@Nullable String group) {
            resumed();
        }

        private void resumed() {
            all().forEach(guard -> guard.backlog().resumed());
        }

        /** A listener of somebody else threw: Quartz drops the run there and then, and tells no listener that it is over. */
        @Override
        public void schedulerError(String message, SchedulerException cause) {
            if (message.startsWith(LISTENER_FAILED)) {
                running.values().stream()
                        .filter(run -> run.thread().equals(Thread.currentThread()))
                        .forEach(run -> guardOfRun(run.context()).ifPresent(guard -> guard.vetoed(run.context())));
            }
        }

        @Override
        public void schedulerShutdown() {
            access.timer().close();
        }
    }
}
