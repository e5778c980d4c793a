/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseState;
import io.camellease.core.Ticker;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.ServiceStatus;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.support.ScheduledPollConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leased route: whether its consumer runs, and whether an exchange may begin.
 *
 * <p>It is level-triggered: {@link #settle} compares what should be with what is and changes it, and looks again after every
 * step that can take time, so that an event that comes meanwhile is never missed. Thread-safe.
 */
final class RouteGate implements LeasedRoute {

    private static final Logger LOG = LoggerFactory.getLogger(RouteGate.class);
    private static final int MAX_START_FAILURES = 5;
    private static final long LOOK_AGAIN_MILLIS = 50;

    private enum Target {
        RUN,
        HOLD,
        STOP,
        AS_IT_IS
    }

    private final LeaseRequest request;
    private final Route route;
    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteThreads threads;
    private final ExchangeGate exchanges;
    private final ConsumerFence fence;
    private final RouteSwitch routeSwitch;
    private final PollWatch polls;
    private final long claimIntervalMillis;
    private final boolean controlsConsumer;
    private final boolean hasQueue;

    /** Whether the author or an operator wants this route to run where the lease is. */
    private volatile boolean wanted;

    private volatile boolean suspendedByOperator;

    /** Starts are serialised by Camel. */
    private volatile boolean advised;

    private volatile boolean drainGivenUp;
    private volatile boolean removed;
    private volatile long runsUnderToken;
    private @Nullable Consumer pulsed;
    private int startFailures;

    private final AtomicInteger settling = new AtomicInteger();
    private final LeaseSettings settings;
    private volatile @Nullable LeaseOptions options;
    private volatile @Nullable Ticker ticker;
    private final List<LeasedRouteExtension.Extended> extended = new CopyOnWriteArrayList<>();
    private final AtomicBoolean looksAgain = new AtomicBoolean();

    RouteGate(LeaseRequest request, LeasedRoutes lease, RouteThreads threads, LeaseSettings settings) {
        this.request = request;
        this.route = request.route();
        this.lease = lease;
        this.elector = lease.elector();
        this.settings = settings;
        this.threads = threads;
        this.wanted = request.wanted();
        this.claimIntervalMillis = settings.claimInterval().toMillis();
        this.controlsConsumer = LeaseRequest.controlsConsumer(route);
        this.hasQueue = QueuedWork.canBeAt(route);
        this.fence = new ConsumerFence(route, request.owner().holdBy(), threads);
        this.routeSwitch = new RouteSwitch(route, fence);
        this.polls = new PollWatch(route, elector, threads, settings.ttl().toMillis());
        this.exchanges = new ExchangeGate(route, elector, fence, settings, !controlsConsumer, this::overrun);
    }

    LeaseRequest request() {
        return request;
    }

    @Override
    public Route route() {
        return route;
    }

    @Override
    public LeaseElector elector() {
        return elector;
    }

    @Override
    public LeaseSettings settings() {
        return settings;
    }

    @Override
    public Ticker ticker() {
        return Objects.requireNonNull(ticker, "a route is extended before it is asked");
    }

    @Override
    public boolean isOpen() {
        return exchanges.isOpen() && fence.status() == ServiceStatus.Started;
    }

    @Override
    public Optional<String> option(String key) {
        LeaseOptions known = Objects.requireNonNull(options, "a route is extended before it is asked");
        return LeaseOption.named(LeaseOption.PREFIX + key)
                .flatMap(option -> request.owner().option(option).or(() -> known.get(option)));
    }

    /** Lets extensions take part; whether any does. */
    boolean extend(Iterable<LeasedRouteExtension> extensions, LeaseOptions contextOptions, Ticker clocks) {
        options = contextOptions;
        ticker = clocks;
        extensions.forEach(extension -> extension.extend(this).ifPresent(extended::add));
        return !extended.isEmpty();
    }

    /** The route is leased no longer. */
    void close() {
        extended.forEach(LeasedRouteExtension.Extended::close);
    }

    boolean isOwnedBy(LeaseRoutePolicy policy) {
        return request.owner() == policy;
    }

    LeasedRoutes lease() {
        return lease;
    }

    boolean isWanted() {
        return wanted;
    }

    // ---- what other routes of the lease wait for

    /** When it is to be started: routes without a number of their own come last, in no order. */
    int startupOrder() {
        return Objects.requireNonNullElse(route.getStartupOrder(), Integer.MAX_VALUE);
    }

    boolean runsUnder(Lease grant) {
        return runsUnderToken == grant.token().value();
    }

    boolean isToRun() {
        return wanted && !suspendedByOperator;
    }

    /** Whether it still runs as under a grant that is over. */
    boolean isToBeCleared() {
        return controlsConsumer && !suspendedByOperator && routeSwitch.isToBeCleared();
    }

    /** Whether its consumer is yet to be stopped. */
    boolean isUp() {
        return controlsConsumer && routeSwitch.isUp();
    }

    // ---- exchanges

    void begin(Exchange exchange) {
        if (extended.stream().allMatch(some -> some.begin(exchange))) {
            exchanges.begin(exchange);
        } else {
            exchanges.refuse(exchange);
        }
    }

    /** Takes what was handed over under a lease out of the queue of a consumer that may not begin it. */
    void withdrawQueued(LeaseName handedOverUnder) {
        if (hasQueue && !exchanges.isOpen()) {
            QueuedWork.withdraw(route, handedOverUnder);
        }
    }

    /** Nothing may begin any more: a batch must end, and the consumer be looked after. Holds no lock. */
    private void overrun() {
        if (controlsConsumer) {
            routeSwitch.cutBatch();
        }
        settle();
    }

    /** Puts the gate before the polls of the route's consumer; called right before each start of it. */
    void guard(Service service) {
        if (service == route.getConsumer()) {
            extended.forEach(LeasedRouteExtension.Extended::starting);
        }
        if (service == route.getConsumer() && !advised) {
            advised = true;
            SourceAdvice.give(route, route.getConsumer());
        }
        if (service == route.getConsumer() && service instanceof ScheduledPollConsumer consumer) {
            if (pulsed != consumer) {
                pulsed = consumer;
                PollPulse.install(consumer, threads, this::pollDied);
            }
            PollGate.install(consumer, exchanges::isOpen, polls);
        }
    }

    private void pollDied() {
        LOG.error(
                "Route '{}' polls no more: an Error ended its poll (Camel logged it), and Camel does not go on after one. Lease"
                        + " '{}' is given away, so that another node runs the route; restart this process",
                route.getRouteId(),
                elector.name());
        elector.giveAway();
    }

    // ---- what happens to the lease

    /** The grant is over. */
    void bar(Lease over) {
        shut(over);
        if (controlsConsumer) {
            routeSwitch.end();
        }
    }

    /** The context has forgotten the route, and may have another one of the same id already. */
    void removed() {
        removed = true;
    }

    /** Nothing begins under this grant any more. */
    void shut(Lease lease) {
        extended.forEach(LeasedRouteExtension.Extended::shut);
        exchanges.bar(lease);
    }

    /** The lease is to be given back once the work in flight has ended. */
    void drain(Lease draining) {
        drainGivenUp = false;
        extended.forEach(LeasedRouteExtension.Extended::shut);
        if (completesAll()) {
            return;
        }
        // what was pushed is let in while the lease is there: to refuse it costs a delivery, or the message
        if (!fence.isPushed()) {
            shut(draining);
        }
        if (controlsConsumer) {
            routeSwitch.end();
        }
    }

    /**
     * Whether the context stops and this route is to finish all that its consumer has in hand: because its author says so, or
     * because that may be in memory only.
     */
    private boolean completesAll() {
        boolean inMemory = !ConsumerKind.leavesWorkAtSource(route.getConsumer());
        boolean wanted = route.getShutdownRunningTask() == ShutdownRunningTask.CompleteAllTasks;
        return !lease.contextRuns() && (inMemory || wanted);
    }

    /** No work begins for now. */
    void hold() {
        extended.forEach(LeasedRouteExtension.Extended::shut);
        if (controlsConsumer) {
            routeSwitch.hold();
        }
    }

    /** Work in flight is not waited for any longer. */
    void giveUpDraining() {
        drainGivenUp = true;
        settle();
    }

    /** Whether nothing works in this route, nothing is about to, and nothing is kept from another node. */
    boolean isQuiet() {
        return isWorkDone() && (!controlsConsumer || fence.hasLetGo());
    }

    private boolean isWorkDone() {
        return exchanges.active() == 0
                && route.getCamelContext().getInflightRepository().size(route.getRouteId()) == 0
                && extended.stream().allMatch(LeasedRouteExtension.Extended::isQuiet)
                && pendingInConsumer() == 0
                && pendingInProcessors() == 0;
    }

    /** A poll may be about to begin an exchange; what waits in the queue of another consumer is not begun any more. */
    private int pendingInConsumer() {
        Consumer consumer = route.getConsumer();
        return consumer instanceof ScheduledPollConsumer || completesAll() ? ConsumerFence.pending(consumer) : 0;
    }

    private int pendingInProcessors() {
        // a copy in one step: Camel changes this list while a route is started or stopped
        return Arrays.stream(route.getServices().toArray())
                .filter(service -> service != route.getConsumer())
                .mapToInt(ConsumerFence::pending)
                .sum();
    }

    // ---- what an operator does, by JMX, control bus, code or console

    void started() {
        routeSwitch.cameUp(true);
        if (!isOurs()) {
            startedByHand();
        } else if (!routeSwitch.isActing()) {
            settle();
        }
    }

    private void startedByHand() {
        wanted = true;
        suspendedByOperator = false;
        if (elector.lease().isEmpty()) {
            LOG.warn(
                    "Route '{}' was started by hand, but this node does not hold lease '{}': it runs when this node does",
                    route.getRouteId(),
                    elector.name());
        }
        lease.candidacy();
        settle();
    }

    void stopped() {
        routeSwitch.cameUp(false);
        if (isOurs()) {
            if (!routeSwitch.isActing()) {
                // by the gate of a route that had the same id and is gone: it was late, and did not mean this one
                settle();
            }
            return;
        }
        wanted = false;
        LOG.info(
                "Route '{}' was stopped by hand: it stays stopped on this node until it is started",
                route.getRouteId());
        lease.candidacy();
    }

    void suspended() {
        if (!isOurs()) {
            suspendedByOperator = true;
        }
    }

    void resumed() {
        if (!isOurs()) {
            suspendedByOperator = false;
            startedByHand();
        }
    }

    /** Whether a call of a gate, or of the context as a whole, brought the callback about. */
    private boolean isOurs() {
        return threads.isOwn() || !lease.contextRuns() || lease.contextIsSuspended();
    }

    // ---- making it so

    /** Looks at what should be, and makes it so, on a thread that may block. */
    void settle() {
        exchanges.wake();
        if (settling.getAndIncrement() == 0) {
            threads.call(this::settleAll);
        }
    }

    private void settleLater() {
        if (looksAgain.compareAndSet(false, true)) {
            threads.later(LOOK_AGAIN_MILLIS, () -> {
                looksAgain.set(false);
                settle();
            });
        }
    }

    private void settleAll() {
        int seen;
        do {
            seen = settling.get();
            step();
        } while (!settling.compareAndSet(seen, 0));
    }

    private void step() {
        try {
            routeSwitch.act(() -> {
                switch (target()) {
                    case RUN -> run();
                    case HOLD -> holdAndLetGo();
                    case STOP -> stop();
                    case AS_IT_IS -> LOG.trace("Route '{}' stays as it is", route.getRouteId());
                }
            });
        } catch (Throwable failed) {
            stepFailed(failed);
        }
    }

    private Target target() {
        if (removed) {
            return Target.AS_IT_IS;
        }
        if (!lease.contextRuns()) {
            return letsGoAtOnce() ? Target.HOLD : Target.AS_IT_IS;
        }
        return switch (elector.state()) {
            case HELD, AT_RISK -> underTheLease();
            case SUSPENDED, DRAINING -> Target.HOLD;
            case WAITING, STOPPED -> Target.STOP;
        };
    }

    /**
     * Whether a consumer is stopped here while the context stops. Camel stops it as well, but looks for the end of its work once a
     * second, and the next holder waits for that.
     */
    private boolean letsGoAtOnce() {
        return controlsConsumer && elector.state() == LeaseState.DRAINING && fence.stops() && !completesAll();
    }

    private Target underTheLease() {
        if (!wanted) {
            return Target.STOP;
        }
        return suspendedByOperator || lease.contextIsSuspended() ? Target.AS_IT_IS : Target.RUN;
    }

    private void run() throws Exception {
        Optional<Lease> grant = elector.lease();
        if (grant.isEmpty()) {
            return;
        }
        if (!routeSwitch.isThere() || !extended.stream().allMatch(LeasedRouteExtension.Extended::isReady)) {
            settleLater();
            return;
        }
        if (clearUp() && lease.earlierOnesRun(this, grant.get())) {
            startUnder(grant.get());
        }
    }

    /** Stops what still runs under an earlier grant; false if others are to be stopped first, which settle this one then. */
    private boolean clearUp() throws Exception {
        drainGivenUp = false;
        if (controlsConsumer && routeSwitch.isToBeCleared()) {
            if (!lease.laterOnesAreCleared(this)) {
                return false;
            }
            if (routeSwitch.stop()) {
                lease.settleAll();
            }
        }
        return true;
    }

    private void startUnder(Lease grant) throws Exception {
        exchanges.open(grant);
        if (controlsConsumer && !routeSwitch.run()) {
            settleLater();
            return;
        }
        startFailures = 0;
        extended.forEach(some -> some.opened(grant));
        if (!runsUnder(grant)) {
            runsUnderToken = grant.token().value();
            lease.settleAll();
        }
        if (target() != Target.RUN) {
            hold();
            settle();
        }
    }

    private void holdAndLetGo() {
        hold();
        if (controlsConsumer && !fence.letGo(this::isWorkDone)) {
            threads.later(LOOK_AGAIN_MILLIS, this::settle);
        }
    }

    /** Stops the consumer first, if that takes long, and then the route: that takes a lock of the whole context. */
    private void stop() throws Exception {
        if (!controlsConsumer) {
            return;
        }
        routeSwitch.holdIfStarted();
        boolean ends = drainGivenUp || isWorkDone();
        if (ends && fence.letGo(() -> drainGivenUp || isWorkDone())) {
            boolean turn = elector.lease().isPresent() || lease.laterOnesAreDown(this);
            if (turn && routeSwitch.stop()) {
                lease.settleAll();
            }
        } else {
            // nobody else looks again: not for a consumer that has to stop first, nor if the lease is not being
            // given back, as for a route that was stopped by hand, or that Camel started before it was leased
            settleLater();
        }
    }

    private void stepFailed(Throwable why) {
        if (!lease.contextRuns()) {
            LOG.debug(
                    "Route '{}' was being started or stopped when the context began to stop", route.getRouteId(), why);
            return;
        }
        startFailures++;
        if (startFailures >= MAX_START_FAILURES) {
            LOG.error(
                    "Route '{}' could not be started {} times: lease '{}' is given away, so that another node can try",
                    route.getRouteId(),
                    startFailures,
                    elector.name(),
                    why);
            startFailures = 0;
            elector.giveAway();
        } else {
            long pause = claimIntervalMillis << (startFailures - 1);
            LOG.warn("Route '{}' could not be started or stopped; next try in {} ms", route.getRouteId(), pause, why);
            threads.later(pause, this::settle);
        }
    }
}
