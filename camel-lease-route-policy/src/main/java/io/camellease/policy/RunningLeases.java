/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseLock;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import io.camellease.core.Share;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Route;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases of one context while their store is open: which routes each has, and its elector as long as it has any. Thread-safe. */
final class RunningLeases {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);

    private final OptionRules.Opened opened;
    private final LeaseClient client;
    private final RouteThreads threads;
    private final ContextState context;
    private final String note;
    private final LeaseListener observers;
    private final LeaseNews news;
    private final Runnable membershipChanged;
    private final LeaseOptions options;

    /** Made when the first is asked for: most applications use none. */
    private volatile @Nullable LeaseLocks locks;

    private boolean closed;

    private final Map<String, RouteGate> gates = new ConcurrentHashMap<>();
    private final Map<String, LeasedRoutes> leases = new ConcurrentHashMap<>();

    /** Held while a route comes to a lease or a lease without routes is dropped: one must not miss the other. */
    private final Object membership = new Object();

    RunningLeases(
            OptionRules.Opened opened,
            LeaseClient client,
            RouteThreads threads,
            ContextState context,
            String note,
            LeaseListener observers,
            LeaseNews news,
            Runnable membershipChanged,
            LeaseOptions options) {
        this.options = options;
        this.opened = opened;
        this.client = client;
        this.threads = threads;
        this.context = context;
        this.note = note;
        this.observers = observers;
        this.news = news;
        this.membershipChanged = membershipChanged;
    }

    LeaseSettings settings() {
        return opened.settings();
    }

    Duration worstTimerLateness() {
        return client.worstTimerLateness();
    }

    boolean isTimerAlive() {
        return client.isTimerAlive();
    }

    Optional<LeasedRoutes> lease(LeaseName name) {
        return Optional.ofNullable(leases.get(name.value()));
    }

    List<LeaseStatus> statuses() {
        LeaseSight sight = new LeaseSight(client, opened.store());
        return leases.values().stream()
                .filter(lease -> !lease.gates().isEmpty())
                .map(sight::of)
                .sorted(Comparator.comparing(status -> status.name().value()))
                .toList();
    }

    /** Where this node stands with that lease, if a route has it. */
    Optional<LeaseStatus> status(LeaseName name) {
        return lease(name).filter(lease -> !lease.gates().isEmpty()).map(new LeaseSight(client, opened.store())::of);
    }

    HolderId holder() {
        return client.holder();
    }

    /** An elector that is no route's. */
    LeaseElector newElector(LeaseName name, LeaseListener listener) {
        return client.elector(name, listener, () -> note);
    }

    /** The elector that there is of that name, be it a route's or not. */
    Optional<LeaseElector> existing(LeaseName name) {
        return client.existing(name);
    }

    Collection<LeaseElector> allElectors() {
        return client.electors();
    }

    String note() {
        return note;
    }

    void remove(LeaseElector elector) {
        client.remove(elector);
    }

    /** The locks of this node, another holder to the store than its leases. */
    synchronized LeaseLocks locks() {
        if (closed) {
            throw new IllegalStateException(
                    "the lease service of this context has stopped: there are no locks any more");
        }
        LeaseLocks now = locks;
        if (now == null) {
            now = new LeaseLocks(
                    opened.store(), HolderId.unique(holder().label()), settings(), LeaseThreads.forLocks(settings()));
            locks = now;
        }
        return now;
    }

    /** Whether work under that grant may begin at this instant. */
    boolean isHeld(LeaseName name, long token) {
        boolean elected = existing(name)
                .flatMap(LeaseElector::check)
                .filter(pass -> pass.lease().token().value() == token)
                .isPresent();
        LeaseLocks now = locks;
        return elected
                || (now != null
                        && now.held(name, token).filter(LeaseLock::isValid).isPresent());
    }

    List<LeaseElector> electors() {
        return leases.values().stream().map(LeasedRoutes::elector).toList();
    }

    // ---- routes

    void lease(LeaseRequest request) {
        Route route = request.route();
        RouteGate gate;
        synchronized (membership) {
            LeasedRoutes lease = leases.computeIfAbsent(request.name().value(), missing -> newLease(request));
            gate = newGate(request, lease);
            lease.gates().stream().findFirst().ifPresent(first -> request.warnOfOtherNode(first.request()));
            lease.add(gate);
        }
        Optional.ofNullable(gates.put(route.getRouteId(), gate)).ifPresent(RunningLeases::discard);
        LOG.info(
                "Route '{}' runs where lease '{}' is held; as long as that is not here, Camel calls the route disabled or stopped",
                route.getRouteId(),
                request.name());
        membershipChanged.run();
        if (context.runs()) {
            gate.lease().candidacy();
            // the lease may be held already
            gate.settle();
        }
    }

    private RouteGate newGate(LeaseRequest request, LeasedRoutes lease) {
        Route route = request.route();
        RouteGate gate = new RouteGate(request, lease, threads, settings());
        try {
            if (!gate.extensions()
                    .extend(ServiceLoader.load(LeasedRouteExtension.class, loader(route)), options, client.ticker())) {
                warnOfUnguardedSchedule(route);
            }
            return gate;
        } catch (RuntimeException refused) {
            dropIfOver(lease);
            throw refused;
        }
    }

    private static ClassLoader loader(Route route) {
        ClassLoader application = route.getCamelContext().getApplicationContextClassLoader();
        return application != null ? application : RunningLeases.class.getClassLoader();
    }

    private static void warnOfUnguardedSchedule(Route route) {
        String uri = String.valueOf(route.getEndpoint().getEndpointUri());
        if (uri.startsWith("quartz:") || uri.startsWith("cron:")) {
            LOG.warn(
                    "Route '{}' follows a schedule, and camel-lease-quartz is not on the class path: a fire may be run twice"
                            + " or not at all when the lease goes to another node. Add the artifact"
                            + " io.camellease:camel-lease-quartz",
                    route.getRouteId());
        }
    }

    /** Of several routes of one lease, the first says which node is preferred. */
    private LeasedRoutes newLease(LeaseRequest request) {
        Share share = new Share(options.maxLeases(), request.preferredNode());
        return new LeasedRoutes(
                routes -> client.elector(request.name(), toldFirst(routes), () -> note, share),
                client.settings(),
                threads,
                context,
                news,
                this::withdrawQueued,
                this::dropIfOver);
    }

    private LeaseListener toldFirst(LeaseListener routes) {
        return event -> {
            if (event instanceof LeaseEvent.Granted) {
                // or what then happens to a route could be told before it
                observers.onEvent(event);
                routes.onEvent(event);
            } else {
                routes.onEvent(event);
                observers.onEvent(event);
            }
        };
    }

    /** Forgets a lease that has no routes any more, so that nothing of it stays in memory. */
    private void dropIfOver(LeasedRoutes lease) {
        synchronized (membership) {
            if (lease.isOver() && leases.remove(lease.elector().name().value(), lease)) {
                client.remove(lease.elector());
            }
        }
    }

    /** What was handed over under that lease, and waits in memory for a route that may not take it, goes back to its source. */
    private void withdrawQueued(LeaseName name) {
        gates.values().forEach(gate -> gate.withdrawQueued(name));
    }

    Optional<RouteGate> gate(Route route) {
        return Optional.ofNullable(gates.get(route.getRouteId())).filter(gate -> gate.route() == route);
    }

    /** The gate of a route, if that policy put it there. */
    Optional<RouteGate> gate(Route route, LeaseRoutePolicy owner) {
        return gate(route).filter(gate -> gate.isOwnedBy(owner));
    }

    List<LeaseRequest> requests() {
        return gates.values().stream().map(RouteGate::request).toList();
    }

    void forget(Route route, LeaseRoutePolicy owner) {
        gate(route, owner).ifPresent(gate -> {
            gates.remove(route.getRouteId(), gate);
            discard(gate);
            membershipChanged.run();
        });
    }

    /** Its route was removed, or never came to the context, because something in its set-up failed. */
    private static void discard(RouteGate gate) {
        gate.lease().remove(gate);
        gate.close();
    }

    boolean isEmpty() {
        return gates.isEmpty();
    }

    // ---- the context

    /** Camel is about to stop the consumers. */
    void contextStopping() {
        gates.values().forEach(gate -> gate.extensions().contextStopping());
        contextChanged();
    }

    /** The context came up, is about to go down, or was suspended or resumed. */
    void contextChanged() {
        leases.values().forEach(LeasedRoutes::candidacy);
        gates.values().forEach(RouteGate::settle);
    }

    void close() {
        // the timer may be late, and only what it knows to be asked back can be given back
        boolean unused = client.awaitDecided();
        leases.values().forEach(LeasedRoutes::contextStopped);
        gates.values().forEach(RouteGate::close);
        closeLocks();
        client.close();
        threads.close();
        opened.close();
    }

    private void closeLocks() {
        LeaseLocks used;
        synchronized (this) {
            closed = true;
            used = locks;
        }
        if (used != null) {
            used.close();
        }
    }
}
