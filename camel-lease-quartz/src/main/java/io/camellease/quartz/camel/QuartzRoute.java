/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz.camel;

import io.camellease.core.Lease;
import io.camellease.policy.LeaseConstants;
import io.camellease.policy.LeasedRoute;
import io.camellease.policy.LeasedRouteExtension;
import io.camellease.quartz.FireGuard;
import io.camellease.quartz.LeaseJobData;
import io.camellease.quartz.LeaseTriggerListener;
import io.camellease.quartz.LeaseUse;
import io.camellease.quartz.SlotOptions;
import io.camellease.quartz.Surroundings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.component.quartz.QuartzEndpoint;
import org.apache.camel.component.quartz.QuartzMessage;
import org.jspecify.annotations.Nullable;
import org.quartz.CronTrigger;
import org.quartz.JobDataMap;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleTrigger;

/** One leased route that Quartz starts. Thread-safe. */
final class QuartzRoute implements LeasedRouteExtension.Extended, LeaseTriggerListener.Guards, Surroundings {

    /** A scheduler that somebody else starts, later or never, must not keep the route from being started. */
    private static final int MOST_ASKED = 100;

    private static final String MISFIRE_INSTRUCTION = "misfireInstruction";

    private final LeasedRoute route;
    private final QuartzEndpoint endpoint;
    private final SlotOptions options;
    private final JobKey job;

    private final AtomicInteger asked = new AtomicInteger();
    private volatile @Nullable LeaseTriggerListener listener;
    private volatile boolean isLearnt;
    private volatile @Nullable FireGuard guard;

    private QuartzRoute(LeasedRoute route, QuartzEndpoint endpoint, SlotOptions options) {
        this.route = route;
        this.endpoint = endpoint;
        this.options = options;
        // a Quartz endpoint names its job after its trigger
        this.job = new JobKey(
                endpoint.getTriggerKey().getName(), endpoint.getTriggerKey().getGroup());
    }

    /**
     * A route whose consumer is not started yet. Until it is, what its trigger fires runs nothing.
     *
     * @param quartzEndpoint is one
     */
    static QuartzRoute of(LeasedRoute route, Endpoint quartzEndpoint) {
        QuartzEndpoint endpoint = (QuartzEndpoint) quartzEndpoint;
        QuartzRoute added = new QuartzRoute(route, endpoint, options(route));
        added.leaveMisfiresToTheLease();
        return added;
    }

    private static SlotOptions options(LeasedRoute route) {
        try {
            return SlotOptions.parse(
                    "camel.lease.",
                    route.option("missedFires"),
                    route.option("missedFireLimit"),
                    route.option("recoverInFlight"));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "route '" + route.route().getRouteId() + "': " + wrong.getMessage(), wrong);
        }
    }

    /** Camel pauses the trigger of a consumer that is held back, and by its default Quartz fires at once when it is resumed. */
    private void leaveMisfiresToTheLease() {
        Map<String, Object> parameters = new HashMap<>(endpoint.getTriggerParameters());
        parameters.putIfAbsent(
                MISFIRE_INSTRUCTION,
                endpoint.getCron() != null
                        ? CronTrigger.MISFIRE_INSTRUCTION_DO_NOTHING
                        : SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT);
        endpoint.setTriggerParameters(parameters);
    }

    /** A job finds its endpoint by the trigger or, if that is one that catches up, by the URI among those of the context. */
    private void makeFindable() {
        CamelContext context = route.route().getCamelContext();
        if (context.getEndpoints().stream().noneMatch(known -> known == endpoint)) {
            try {
                context.addEndpoint(endpoint.getEndpointUri(), endpoint);
            } catch (Exception failed) {
                throw RuntimeCamelException.wrapRuntimeCamelException(failed);
            }
        }
    }

    // ---- for the listener

    @Override
    public Optional<FireGuard> of(JobKey asked) {
        return asked.equals(job) ? Optional.ofNullable(guard) : Optional.empty();
    }

    @Override
    public Collection<FireGuard> all() {
        FireGuard made = guard;
        return made == null ? List.of() : List.of(made);
    }

    @Override
    public boolean isOpen() {
        return route.isOpen();
    }

    @Override
    public boolean tellsBegin() {
        return true;
    }

    // ---- for the policy

    /** Camel's context and the start of a route both start the scheduler, and do it wrong if they do it at the same time. */
    @Override
    public boolean isReady() {
        Scheduler scheduler = endpoint.getComponent().getScheduler();
        try {
            return (scheduler != null && scheduler.isStarted()) || asked.incrementAndGet() > MOST_ASKED;
        } catch (SchedulerException failed) {
            throw new IllegalStateException("the scheduler cannot be asked whether it is started", failed);
        }
    }

    @Override
    public void starting() {
        Scheduler scheduler = endpoint.getComponent().getScheduler();
        try {
            LeaseTriggerListener found = LeaseTriggerListener.of(scheduler);
            if (!found.equals(listener)) {
                makeFindable();
                LeaseUse use = new LeaseUse(route.elector(), route.settings(), route.ticker());
                guard = found.newGuard(use, options, this, route.route().getRouteId());
                listener = found;
                isLearnt = false;
                found.add(this);
            }
            if (!isLearnt) {
                found.learn(this);
                isLearnt = true;
            }
        } catch (SchedulerException failed) {
            throw new IllegalStateException(
                    "the fires of route '" + route.route().getRouteId() + "' cannot be guarded", failed);
        }
    }

    @Override
    public void opened(Lease lease) {
        FireGuard made = guard;
        if (made != null) {
            made.open(lease);
        }
    }

    @Override
    public void shut() {
        FireGuard made = guard;
        if (made != null) {
            made.shut();
        }
    }

    @Override
    public boolean isQuiet() {
        FireGuard made = guard;
        return made == null || made.isQuiet();
    }

    /** A job finds nobody to run it when its consumer is suspended. */
    @Override
    public boolean isAboutToBegin() {
        FireGuard made = guard;
        return made != null && made.isAboutToBegin();
    }

    @Override
    public void contextStopping() {
        FireGuard made = guard;
        if (made != null) {
            made.shut();
            made.awaitBegun();
        }
    }

    @Override
    public void close() {
        shut();
        LeaseTriggerListener found = listener;
        if (found != null) {
            found.remove(this);
        }
    }

    /** A fire that was on its way when the guard was put up was not seen by it, and nobody reserved its slot. */
    @Override
    public boolean begin(Exchange exchange) {
        if (!(exchange.getIn() instanceof QuartzMessage message)) {
            return true;
        }
        FireGuard made = guard;
        if (made != null) {
            made.begun(message.getJobExecutionContext());
        }
        JobDataMap data = message.getJobExecutionContext().getMergedJobDataMap();
        stamp(exchange, LeaseConstants.SCHEDULED_TIME, data.get(LeaseJobData.SCHEDULED_TIME));
        stamp(exchange, LeaseConstants.RECOVERING, data.get(LeaseJobData.RECOVERING));
        message.setHeader("triggerName", endpoint.getTriggerKey().getName());
        message.setHeader("triggerGroup", endpoint.getTriggerKey().getGroup());
        return data.containsKey(LeaseJobData.LEASE_TOKEN);
    }

    /** Its slot is reserved, and would be lost. */
    @Override
    public boolean hasBegun(Exchange exchange) {
        return exchange.getIn() instanceof QuartzMessage message
                && message.getJobExecutionContext().getMergedJobDataMap().containsKey(LeaseJobData.LEASE_TOKEN);
    }

    @Override
    public void refused(Exchange exchange) {
        FireGuard made = guard;
        if (made != null && exchange.getIn() instanceof QuartzMessage message) {
            made.refused(message.getJobExecutionContext());
        }
    }

    private static void stamp(Exchange exchange, String name, @Nullable Object value) {
        if (value != null) {
            exchange.getIn().setHeader(name, value);
            exchange.setProperty(name, value);
        }
    }
}
