/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.SchedulerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes jobs of one scheduler singletons in the cluster. Each job has a lease of its own, named application/group.name, unless
 * one is named for all of them. This node is a candidate while the scheduler runs. Thread-safe.
 */
public final class SingletonJobs implements LeaseTriggerListener.Guards {

    private static final Logger LOG = LoggerFactory.getLogger(SingletonJobs.class);

    private static final String NAME = "camel-lease-jobs";

    /**
     * Which jobs, and how.
     *
     * @param application what the names of the leases begin with; the same on all nodes, and no other application's
     * @param jobs patterns of {@code group.name}, separated by commas; {@code *} stands for any text
     * @param lease the name of one lease for all jobs; empty for one for each
     * @param slots what becomes of missed and unfinished slots
     * @param interruptOnLoss whether running {@link org.quartz.InterruptableJob}s are interrupted when the lease is lost
     */
    public record Options(
            String application, String jobs, Optional<String> lease, SlotOptions slots, boolean interruptOnLoss) {}

    private final Scheduler scheduler;
    private final LeaseClient client;
    private final Options options;
    private final JobPatterns patterns;
    private final Supplier<String> value;
    private final LeaseTriggerListener listener;
    private final List<LeaseListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<LeaseName, SingletonLease> leases = new ConcurrentHashMap<>();
    private final SchedulerListenerSupport lifecycle = new Lifecycle();
    private volatile boolean candidate;

    /**
     * Guards the jobs from now on; none of them runs before its lease is granted.
     *
     * @param client stays the caller's, who closes it after {@link #stop}
     * @param value the note for people that each grant stores; asked before each claim, must answer at once
     * @throws SchedulerException if the scheduler takes no listeners
     * @throws IllegalArgumentException if an option is not legal
     */
    public SingletonJobs(Scheduler scheduler, LeaseClient client, Options options, Supplier<String> value)
            throws SchedulerException {
        this.scheduler = scheduler;
        this.client = client;
        this.options = options;
        this.patterns = JobPatterns.parse(options.jobs());
        this.value = value;
        this.listener = LeaseTriggerListener.of(scheduler);
        options.lease().ifPresent(LeaseName::new);
        listener.add(this);
        scheduler.getContext().put(NAME, this);
        scheduler.getListenerManager().addSchedulerListener(lifecycle);
        if (scheduler.isStarted() && !scheduler.isInStandbyMode()) {
            lifecycle.schedulerStarting();
            lifecycle.schedulerStarted();
        }
    }

    /** Those of a scheduler, if it has any. */
    public static Optional<SingletonJobs> of(Scheduler scheduler) throws SchedulerException {
        return scheduler.getContext().get(NAME) instanceof SingletonJobs jobs ? Optional.of(jobs) : Optional.empty();
    }

    @Override
    public Optional<FireGuard> of(JobKey job) {
        return patterns.match(job) ? Optional.of(lease(job).guard()) : Optional.empty();
    }

    @Override
    public Collection<FireGuard> all() {
        return leases.values().stream().map(SingletonLease::guard).toList();
    }

    /** The electors of all leases, in no order. */
    public List<LeaseElector> electors() {
        return leases.values().stream().map(SingletonLease::elector).toList();
    }

    /** Is told from now on what happens to the leases, on a thread of the client, which it must not block. */
    public void addListener(LeaseListener added) {
        listeners.add(added);
    }

    LeaseClient client() {
        return client;
    }

    private SingletonLease lease(JobKey job) {
        LeaseName name = nameOfLease(job);
        SingletonLease known = leases.get(name);
        return known != null ? known : add(name);
    }

    private LeaseName nameOfLease(JobKey job) {
        String name =
                options.lease().orElseGet(() -> options.application() + "/" + job.getGroup() + "." + job.getName());
        try {
            return new LeaseName(name);
        } catch (IllegalArgumentException illegal) {
            throw new IllegalArgumentException(
                    illegal.getMessage() + "; rename the job, or set the option lease to have one lease for all jobs",
                    illegal);
        }
    }

    private SingletonLease add(LeaseName name) {
        SingletonLease added = leases.computeIfAbsent(name, this::newLease);
        // looked at again: whoever changes it may not have found this lease
        if (candidate) {
            added.elector().start();
        }
        if (!candidate) {
            added.elector().stop();
        }
        return added;
    }

    private SingletonLease newLease(LeaseName name) {
        SingletonLease lease = new SingletonLease(
                name, client, listener, options, value, event -> listeners.forEach(some -> some.onEvent(event)));
        LOG.info("Jobs run where lease '{}' is held", name);
        return lease;
    }

    /** Gives the leases back as soon as no job runs under them; nothing begins any more. Returns at once. */
    public void stop() {
        candidate = false;
        leases.values().forEach(lease -> lease.elector().stop());
    }

    /** Whether all leases were given back, or lost, after {@link #stop}. */
    public boolean isStopped() {
        return leases.values().stream().allMatch(lease -> lease.elector().state() == LeaseState.STOPPED);
    }

    /** Whether no job runs. */
    public boolean isQuiet() {
        return leases.values().stream().allMatch(lease -> lease.guard().isQuiet());
    }

    /** A scheduler that stands by runs no job, so another node shall. */
    private final class Lifecycle extends SchedulerListenerSupport {
        @Override
        public void schedulerStarting() {
            listener.learn(SingletonJobs.this);
        }

        @Override
        public void schedulerStarted() {
            candidate = true;
            leases.values().forEach(lease -> lease.elector().start());
            warnOfUnmatched();
        }

        @Override
        public void schedulerInStandbyMode() {
            stop();
        }
    }

    private void warnOfUnmatched() {
        try {
            List<String> unmatched = patterns.unmatched(scheduler.getJobKeys(GroupMatcher.anyJobGroup()));
            if (!unmatched.isEmpty()) {
                LOG.warn(
                        "No job of scheduler '{}' matches {} so far: a job that is misspelt here runs on every node",
                        scheduler.getSchedulerName(),
                        unmatched);
            }
        } catch (SchedulerException failed) {
            LOG.warn("The jobs of the scheduler cannot be listed", failed);
        }
    }
}
