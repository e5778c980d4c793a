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

    private final LeaseTriggerListener listener;
    private final SchedulerAccess access;
    private final AtomicBoolean watched = new AtomicBoolean();

    SharedJobStore(LeaseTriggerListener listener, SchedulerAccess access) {
        this.listener = listener;
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
            triggersOfOpen().forEach((guard, triggers) -> guard.backlog().sweep(triggers));
        } catch (SchedulerException | RuntimeException failed) {
            LOG.warn("What other nodes changed in the job store is not known; it is looked at again", failed);
        }
        access.timer().schedule(this::look, PAUSE_NANOS);
    }

    /** A job that another node has added gets its lease here, too. */
    private Map<FireGuard, List<Trigger>> triggersOfOpen() throws SchedulerException {
        Map<FireGuard, List<Trigger>> open = new HashMap<>();
        listener.all().filter(FireGuard::isOpen).forEach(guard -> open.put(guard, new ArrayList<>()));
        for (JobKey job : access.scheduler().getJobKeys(GroupMatcher.anyJobGroup())) {
            Optional<FireGuard> guard = listener.guard(job);
            if (guard.isPresent() && open.containsKey(guard.get())) {
                open.get(guard.get()).addAll(access.triggers(job));
            }
        }
        return open;
    }
}
