/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.quartz.JobKey;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.matchers.GroupMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job store, looked at once a second: Quartz tells a listener neither what it passes over or drops nor, if nodes share the
 * store, what another node does.
 * Thread-safe; the store is asked on the timer thread.
 */
final class SharedJobStore {

    private static final Logger LOG = LoggerFactory.getLogger(SharedJobStore.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    /**
     * What there was at one look.
     *
     * @param triggers all that could be read
     * @param unreadable jobs of which that is unknown
     */
    record Listing(List<Trigger> triggers, Set<JobKey> unreadable) {}

    private final List<LeaseTriggerListener.Guards> guards;
    private final SchedulerAccess access;
    private final Set<JobKey> unreadable = new HashSet<>();
    private final AtomicBoolean watched = new AtomicBoolean();

    SharedJobStore(List<LeaseTriggerListener.Guards> guards, SchedulerAccess access) {
        this.guards = guards;
        this.access = access;
    }

    /** From now on it is looked at. */
    void watch() {
        if (!watched.getAndSet(true)) {
            access.timer().schedule(this::look, PAUSE_NANOS);
        }
    }

    private void look() {
        try {
            if (access.isClustered()) {
                sweep();
            } else {
                all().forEach(guard -> guard.backlog().look());
            }
        } catch (SchedulerException | RuntimeException failed) {
            LOG.warn("What became of the triggers in the job store is not known; it is looked at again", failed);
        } finally {
            access.timer().schedule(this::look, PAUSE_NANOS);
        }
    }

    /** Standbys look as well: one that takes over must know by which times it owes what. */
    private void sweep() throws SchedulerException {
        Map<FireGuard, List<JobKey>> jobs = jobs();
        for (FireGuard guard : all()) {
            guard.backlog().sweep(listing(jobs.getOrDefault(guard, List.of())));
        }
    }

    /** A job that another node has added gets its lease here, too. */
    private Map<FireGuard, List<JobKey>> jobs() throws SchedulerException {
        Map<FireGuard, List<JobKey>> jobs = new HashMap<>();
        for (JobKey job : access.scheduler().getJobKeys(GroupMatcher.anyJobGroup())) {
            guard(job).ifPresent(guard -> jobs.computeIfAbsent(guard, made -> new ArrayList<>())
                    .add(job));
        }
        return jobs;
    }

    private Optional<FireGuard> guard(JobKey job) {
        try {
            return guards.stream().flatMap(some -> some.of(job).stream()).findFirst();
        } catch (RuntimeException illegal) {
            LOG.debug("Job {} cannot be guarded, which is told when it fires", job, illegal);
            return Optional.empty();
        }
    }

    private List<FireGuard> all() {
        return guards.stream().flatMap(some -> some.all().stream()).toList();
    }

    private Listing listing(List<JobKey> jobs) {
        Listing listing = new Listing(new ArrayList<>(), new HashSet<>());
        for (JobKey job : jobs) {
            try {
                listing.triggers().addAll(access.triggers(job));
                unreadable.remove(job);
            } catch (SchedulerException | RuntimeException failed) {
                listing.unreadable().add(job);
                tell(job, failed);
            }
        }
        return listing;
    }

    /** Once for each job while it is so: it is looked at again and again. */
    private void tell(JobKey job, Exception failed) {
        if (unreadable.add(job)) {
            LOG.warn("The triggers of job {} cannot be read, so they are taken as they were", job, failed);
        } else {
            LOG.debug("The triggers of job {} can still not be read", job, failed);
        }
    }
}
