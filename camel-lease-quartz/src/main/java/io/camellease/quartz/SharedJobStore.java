/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.quartz.JobKey;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.matchers.GroupMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job store that nodes share: looked at once a second, because Quartz tells a listener only of what its own node does.
 * Thread-safe; the store is asked on the timer thread.
 */
final class SharedJobStore {

    private static final Logger LOG = LoggerFactory.getLogger(SharedJobStore.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final List<LeaseTriggerListener.Guards> guards;
    private final SchedulerAccess access;
    private final AtomicBoolean watched = new AtomicBoolean();

    SharedJobStore(List<LeaseTriggerListener.Guards> guards, SchedulerAccess access) {
        this.guards = guards;
        this.access = access;
    }

    /** From now on it is looked at, if it is shared. */
    void watch() {
        if (access.isClustered() && !watched.getAndSet(true)) {
            access.timer().schedule(this::look, PAUSE_NANOS);
        }
    }

    private void look() {
        try {
            Map<FireGuard, List<JobKey>> jobs = jobs();
            for (FireGuard open : open()) {
                open.backlog().sweep(triggers(jobs.getOrDefault(open, List.of())));
            }
        } catch (SchedulerException | RuntimeException failed) {
            LOG.warn("What other nodes changed in the job store is not known; it is looked at again", failed);
        }
        access.timer().schedule(this::look, PAUSE_NANOS);
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

    private List<FireGuard> open() {
        return guards.stream()
                .flatMap(some -> some.all().stream())
                .filter(FireGuard::isOpen)
                .toList();
    }

    private List<Trigger> triggers(List<JobKey> jobs) throws SchedulerException {
        List<Trigger> triggers = new ArrayList<>();
        for (JobKey job : jobs) {
            triggers.addAll(access.triggers(job));
        }
        return triggers;
    }
}
