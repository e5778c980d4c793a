/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import io.camellease.core.Lease;
import io.camellease.policy.LeasedRoute;
import io.camellease.policy.LeasedRouteExtension;
import java.time.Instant;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.routepolicy.quartz.CronScheduledRoutePolicy;
import org.apache.camel.routepolicy.quartz.ScheduledRoutePolicy;
import org.apache.camel.routepolicy.quartz.ScheduledRoutePolicyConstants;
import org.apache.camel.routepolicy.quartz.SimpleScheduledRoutePolicy;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/**
 * The hours in which one leased route may run. Its policies' jobs start and stop it only on the node on which it can be started
 * and stopped just then, so each node reckons for itself whether it is time. Thread-safe.
 */
final class ScheduledWindow implements LeasedRouteExtension.Extended {

    private final LeasedRoute leased;
    private final Route route;

    ScheduledWindow(LeasedRoute leased) {
        this.leased = leased;
        this.route = leased.route();
    }

    private Stream<ScheduledRoutePolicy> policies() {
        return route.getRoutePolicyList().stream()
                .filter(ScheduledRoutePolicy.class::isInstance)
                .map(ScheduledRoutePolicy.class::cast);
    }

    @Override
    public boolean isTime() {
        Instant now = Instant.ofEpochMilli(leased.ticker().now().wallMillis());
        return policies().allMatch(policy -> isTime(policy, now));
    }

    /** A policy of any other kind says nothing that could be known here. */
    private static boolean isTime(ScheduledRoutePolicy policy, Instant now) {
        if (policy instanceof CronScheduledRoutePolicy cron) {
            return !CronHours.closed(cron.getRouteStartTime(), cron.getRouteStopTime(), cron.getTimeZone(), now)
                    && !CronHours.closed(
                            cron.getRouteResumeTime(), cron.getRouteSuspendTime(), cron.getTimeZone(), now);
        }
        return !(policy instanceof SimpleScheduledRoutePolicy simple) || DatedHours.areOpen(simple, now);
    }

    /** Whether a job of the policies is at work on the route. */
    @Override
    public boolean isSwitching() {
        return policies().anyMatch(policy -> isAtWork(policy.getScheduler()));
    }

    private boolean isAtWork(Scheduler scheduler) {
        try {
            return scheduler != null
                    && scheduler.getCurrentlyExecutingJobs().stream()
                            .map(job -> job.getJobDetail().getKey().getGroup())
                            .anyMatch((ScheduledRoutePolicyConstants.JOB_GROUP + route.getId())::equals);
        } catch (SchedulerException failed) {
            throw new IllegalStateException(
                    "the scheduler of route '" + route.getRouteId() + "' cannot be asked what it does", failed);
        }
    }

    // ---- nothing else is its business

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void starting() {}

    @Override
    public void opened(Lease lease) {}

    @Override
    public void shut() {}

    @Override
    public boolean begin(Exchange exchange) {
        return true;
    }

    @Override
    public boolean isQuiet() {
        return true;
    }

    @Override
    public void close() {}
}
