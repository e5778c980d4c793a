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
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseStore;
import io.camellease.core.LeaseThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.apache.camel.Route;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.Service;
import org.apache.camel.ServiceStatus;
import org.apache.camel.support.PatternHelper;
import org.apache.camel.support.service.ServiceHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of one CamelContext: where they are kept, how long they last, who this node is. There is one in each context,
 * bound as {@code leaseService} and configured by {@code camel.lease.*}, unless the application makes its own.
 *
 * <p>Options are checked when the first route is leased, all at once; what is not set here is taken from {@code
 * camel.lease.*}. Setters are for before the start; the other methods are thread-safe.
 */
public final class LeaseService extends LeaseConfiguration implements CamelContextAware {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseService.class);

    private final Observers listeners = new Observers();
    private final List<Runnable> beforeStop = new CopyOnWriteArrayList<>();

    private static final String BEAN = "#bean:";
    private static final Duration AFTER_SHUTDOWN = Duration.ofSeconds(15);
    private static final long LISTENERS_MILLIS = 500;
    private static final int MAX_VALUE_CHARS = 250;

    /** What the client runs on; a test puts in clocks of its own. */
    Function<LeaseSettings, LeaseThreads> leaseThreads = LeaseThreads::system;

    /** Routes that were set up before the context starts; until then it may fail without stopping its services. */
    private final List<LeaseRequest> requested = new CopyOnWriteArrayList<>();

    private final ContextState contextState = new ContextState() {
        @Override
        public boolean runs() {
            return contextRuns;
        }

        @Override
        public boolean isSuspended() {
            return contextSuspended;
        }
    };

    private boolean automatic;
    private @Nullable CamelContext camelContext;
    private volatile @Nullable RunningLeases running;
    private volatile boolean contextRuns;
    private volatile boolean contextSuspended;

    /** The service of a context whose application makes none. */
    static LeaseService automatic() {
        LeaseService service = new LeaseService();
        service.automatic = true;
        return service;
    }

    /**
     * The service of a context: the one that was added to it, else the one in its registry.
     *
     * @throws IllegalArgumentException if the registry has several and none was chosen, or the options are wrong
     */
    public static LeaseService of(CamelContext context) {
        LeaseService service = context.hasService(LeaseService.class);
        if (service == null) {
            service = choose(context.getRegistry().findByType(LeaseService.class));
            service.addTo(context);
        }
        return service;
    }

    private static LeaseService choose(Collection<LeaseService> all) {
        List<LeaseService> made =
                all.stream().filter(service -> !service.automatic).toList();
        if (made.size() > 1) {
            throw new IllegalArgumentException("there are " + made.size()
                    + " lease services: set the leaseService of each " + "lease route policy, or keep only one");
        }
        return made.stream().findFirst().or(() -> all.stream().findFirst()).orElseGet(LeaseService::new);
    }

    /** Makes the context start and stop this service: Camel does not do that for a bean of its registry. */
    void addTo(CamelContext context) {
        refuseSecond(context);
        LeaseLifecycle.addTo(context).serve(context, this);
        if (!context.hasService(this)) {
            try {
                context.addService(this, true, true);
            } catch (Exception refused) {
                throw RuntimeCamelException.wrapRuntimeCamelException(refused);
            }
        }
        // a context that is not started yet would start it with the first route that starts, which may be none
        ServiceHelper.startService(this);
    }

    /** Opens the store that {@code camel.lease.store} names although no route uses it, so that a mistake in it shows. */
    static void checkUnused(CamelContext context) {
        if (context.hasService(LeaseService.class) == null) {
            LeaseOptions configured = new LeaseOptions();
            LeaseProperties.apply(context, configured);
            if (configured.isEnabled() && configured.get(LeaseOption.STORE).isPresent()) {
                LeaseService.of(context);
            }
        }
    }

    static void warnDisabled() {
        LOG.warn("camel.lease.enabled=false: leased routes run on this node without a lease, whatever other nodes do");
    }

    // ---- life

    @Override
    protected void doInit() {
        LeaseProperties.apply(context(), options);
    }

    @Override
    protected void doStart() {
        if (!options.isEnabled()) {
            warnDisabled();
        } else if (!isContextBeingSetUp()) {
            var unused = open();
            contextRuns = context().isStarted();
        }
    }

    /** Whether the context may still fail in a way in which it does not stop its services. */
    private boolean isContextBeingSetUp() {
        ServiceStatus status = context().getStatus();
        return status == null
                || status == ServiceStatus.Initializing
                || status == ServiceStatus.Initialized
                || status == ServiceStatus.Stopped;
    }

    /** Opens the store, unless it is open, and leases the routes that were set up meanwhile. */
    private synchronized RunningLeases open() {
        RunningLeases now = running;
        if (now == null) {
            now = openStore();
            running = now;
            requested.forEach(now::lease);
            requested.clear();
        }
        return now;
    }

    private RunningLeases openStore() {
        Duration shutdown = Duration.of(
                context().getShutdownStrategy().getTimeout(),
                context().getShutdownStrategy().getTimeUnit().toChronoUnit());
        options.setDefault(LeaseOption.DRAIN_TIMEOUT, shutdown.plus(AFTER_SHUTDOWN));
        LeaseOptions.Opened opened = options.open(givenClient(), loader());
        HolderId holder = HolderId.unique(nodeLabel());
        LeaseClient leaseClient = new LeaseClient(
                opened.store(),
                holder,
                opened.settings(),
                leaseThreads.apply(opened.settings()),
                () -> UUID.randomUUID().toString());
        tell(opened, holder);
        return new RunningLeases(
                opened,
                leaseClient,
                new RouteThreads(context()),
                contextState,
                this::describeNode,
                this::publish,
                options);
    }

    private void tell(LeaseOptions.Opened opened, HolderId holder) {
        LOG.info(
                "Leases are kept in {}; this node is {}, ttl {}",
                opened.store().description(),
                holder,
                opened.settings().ttl());
        opened.settings().warning(opened.failover()).ifPresent(LOG::info);
        if (options.hasPasswordInUri()) {
            LOG.warn(
                    "{} contains a password, and URIs get printed: take it out of the URI, and set {} and {} instead, for"
                            + " example to a property placeholder",
                    LeaseOption.STORE.property(),
                    LeaseOption.USERNAME.property(),
                    LeaseOption.PASSWORD.property());
        }
    }

    private String nodeLabel() {
        return options.get(LeaseOption.NODE).orElseGet(LeaseService::hostName);
    }

    private @Nullable Object givenClient() {
        Optional<String> reference = options.get(LeaseOption.STORE).filter(text -> text.startsWith(BEAN));
        if (client != null || reference.isEmpty()) {
            return client;
        }
        String name = reference.get().substring(BEAN.length());
        Object bean = context().getRegistry().lookupByName(name);
        if (bean == null) {
            throw new IllegalArgumentException(LeaseOption.STORE.property() + "=" + reference.get()
                    + ": there is no bean '" + name + "' in the registry");
        }
        return bean;
    }

    private ClassLoader loader() {
        ClassLoader application = context().getApplicationContextClassLoader();
        return application != null ? application : LeaseStore.class.getClassLoader();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            LOG.debug("This host does not know its own name", nameless);
            return "localhost";
        }
    }

    /** The context is about to set up its routes, maybe again after it failed to. */
    void contextInitializing() {
        requested.clear();
    }

    /** The context is about to start: from now on it stops this service if it fails. */
    void contextStarting() {
        if (options.isEnabled()) {
            var unused = open();
        }
    }

    void contextStarted() {
        contextRuns = true;
        contextChanged();
    }

    /** From now on Camel itself stops the routes; leases are kept until their work has ended, and nothing new is claimed. */
    void contextStopping() {
        contextRuns = false;
        contextChanged();
    }

    void contextSuspended(boolean suspended) {
        contextSuspended = suspended;
        contextChanged();
    }

    private void contextChanged() {
        RunningLeases now = running;
        if (now != null) {
            now.contextChanged();
        }
    }

    @Override
    protected void doStop() {
        RunningLeases ends = running;
        beforeStop.forEach(Runnable::run);
        beforeStop.clear();
        if (ends != null) {
            ends.close();
            listeners.awaitTold(LISTENERS_MILLIS);
            running = null;
        }
        contextRuns = false;
        contextSuspended = false;
        requested.clear();
    }

    // ---- routes

    /**
     * Leases a route that is being set up.
     *
     * @param leaseName the name of the lease, or null for application/route id
     * @throws IllegalArgumentException if the name breaks the rule of {@link LeaseName}, or there is no application name
     */
    void lease(Route route, @Nullable String leaseName, LeaseRoutePolicy owner) {
        if (!options.isEnabled()) {
            return;
        }
        if (isLeased(route)) {
            LOG.warn("Route '{}' has two lease policies: the second one is ignored", route.getRouteId());
            return;
        }
        if (running == null) {
            options.check(givenClient(), loader());
        }
        LeaseName name = new LeaseName(leaseName != null ? leaseName : application() + "/" + route.getRouteId());
        warnOfGeneratedId(route, leaseName);
        LeaseRequest request = new LeaseRequest(route, name, owner, isWanted(route));
        lease(request);
        if (KameletSources.isUsedBy(route)) {
            leaseRunningSource(request);
        }
    }

    private void lease(LeaseRequest request) {
        if (LeaseRequest.controlsConsumer(request.route())) {
            request.route().setAutoStartup(false);
        }
        if (running == null && isContextBeingSetUp()) {
            requested.add(request);
        } else {
            open().lease(request);
        }
    }

    /** Leases a route that Camel makes of a kamelet, together with the leased route that consumes from it, if there is one. */
    void leaseSource(Route source, LeaseRoutePolicy owner) {
        RunningLeases now = running;
        Stream.concat(requested.stream(), now == null ? Stream.empty() : now.requests().stream())
                .filter(user -> KameletSources.isUsedBy(user.route())
                        && KameletSources.sourceRouteId(user.route()).equals(source.getRouteId()))
                .findFirst()
                .ifPresent(user -> leaseSource(source, user, owner));
    }

    private void leaseSource(Route source, LeaseRequest user, LeaseRoutePolicy owner) {
        if (!isLeased(source)) {
            owner.use(this);
            lease(new LeaseRequest(source, user.name(), owner, user.wanted() && isWanted(source)));
        }
    }

    /** In a context that runs, Camel starts the route that it makes of a kamelet before the route that consumes from it is there. */
    private void leaseRunningSource(LeaseRequest user) {
        Route source = context().getRoute(KameletSources.sourceRouteId(user.route()));
        if (source != null) {
            leaseSource(source, user, LeaseLifecycle.addTo(context()).kamelets().policy());
            gate(source).ifPresent(RouteGate::settle);
        }
    }

    private boolean isLeased(Route route) {
        return gate(route).isPresent() || requested.stream().anyMatch(request -> request.route() == route);
    }

    /** Whether a route that has a policy must not run, because it has no lease here. */
    boolean mustRefuse(Route route) {
        return options.isEnabled() && gate(route).isEmpty();
    }

    private Optional<RouteGate> gate(Route route) {
        return Optional.ofNullable(running).flatMap(now -> now.gate(route));
    }

    private static void warnOfGeneratedId(Route route, @Nullable String leaseName) {
        boolean named =
                Boolean.parseBoolean(String.valueOf(route.getProperties().get(Route.CUSTOM_ID_PROPERTY)));
        if (leaseName == null && !named) {
            LOG.warn(
                    "Route '{}' has no id of its own. Generated ids depend on the order of the routes: if that differs"
                            + " between nodes or versions, they lease different routes under one name. Give the route an id",
                    route.getRouteId());
        }
    }

    private boolean isWanted(Route route) {
        boolean contextStartsRoutes =
                context().isAutoStartup() || context().getRouteController().isSupervising();
        String excluded = context().getAutoStartupExcludePattern();
        return !Boolean.FALSE.equals(route.isAutoStartup())
                && contextStartsRoutes
                && (excluded == null || !PatternHelper.matchPatterns(route.getRouteId(), excluded.split(",", -1)));
    }

    private String application() {
        return options.get(LeaseOption.APPLICATION).orElseGet(() -> {
            if (!context().getNameStrategy().isFixedName()) {
                throw new IllegalArgumentException(
                        LeaseOption.APPLICATION.property() + " is not set, and the CamelContext "
                                + "has no fixed name: without either, the leases of different applications would have the same "
                                + "names. Set one of them, or the leaseName of the policy");
            }
            return context().getName();
        });
    }

    private String describeNode() {
        String value = "node=" + nodeLabel() + " context=" + context().getName() + " pid="
                + ProcessHandle.current().pid();
        return value.substring(0, Math.min(value.length(), MAX_VALUE_CHARS));
    }

    /** The gate of a route, if that policy put it there. */
    Optional<RouteGate> gate(Route route, LeaseRoutePolicy owner) {
        return Optional.ofNullable(running).flatMap(now -> now.gate(route, owner));
    }

    void forget(Route route, LeaseRoutePolicy owner) {
        requested.removeIf(request -> request.isBy(owner, route));
        RunningLeases now = running;
        if (now != null) {
            now.forget(route, owner);
        }
    }

    void guard(Service service, Route route) {
        gate(route).ifPresent(gate -> gate.guard(service));
    }

    boolean isEnabled() {
        return options.isEnabled();
    }

    /** Somebody configured a store, and then forgot to say for which routes; unless others than routes use it. */
    void warnIfIdle() {
        RunningLeases now = running;
        if (now != null && now.isEmpty() && beforeStop.isEmpty()) {
            LOG.warn(
                    "The lease service has a store, but no route is leased: all routes run on every node. Set routePolicyRef"
                            + " on the routes, or {}",
                    LeaseOption.ROUTES.property());
        }
    }

    Optional<LeaseElector> elector(String leaseName) {
        return Optional.ofNullable(running).flatMap(now -> now.elector(leaseName));
    }

    private void publish(LeaseEvent event) {
        listeners.onEvent(event);
    }

    // ---- for applications

    /**
     * Adds a listener that is told what happens to all leases of this service, after the routes were told. Events come in order, one
     * at a time, on a thread that all listeners share; one that blocks delays the other listeners and nothing else.
     */
    public void addListener(LeaseListener listener) {
        listeners.add(listener);
    }

    /** Takes a listener away again. */
    public void removeListener(LeaseListener listener) {
        listeners.remove(listener);
    }

    /** The durations in use; empty while no route is leased. */
    public Optional<LeaseSettings> settings() {
        return Optional.ofNullable(running).map(RunningLeases::settings);
    }

    // ---- for other users of leases in this context

    /** Whether the service runs and leases are not switched off. */
    public boolean isRunning() {
        return running != null || (isStarted() && options.isEnabled());
    }

    /** Who this process is to others; empty while the service does not run. */
    public Optional<HolderId> holder() {
        return isRunning() ? Optional.of(open().holder()) : Optional.empty();
    }

    /**
     * The name of a lease of this application, {@code application/local}.
     *
     * @throws IllegalArgumentException if it breaks the rule of {@link LeaseName}, or there is no application name
     */
    public LeaseName leaseName(String local) {
        return new LeaseName(application() + "/" + local);
    }

    /**
     * The elector of a lease that is no route's, under the store, durations and holder of this service.
     *
     * @throws IllegalStateException if the service does not run, or the lease has an elector already
     */
    public LeaseElector elector(LeaseName name, LeaseListener listener) {
        if (!isRunning()) {
            throw new IllegalStateException("the lease service does not run, so lease '" + name + "' has no elector");
        }
        return open().newElector(name, listener);
    }

    /** Runs a step once, before this service stops: the last moment at which a lease can be given back. It may block. */
    public void beforeStop(Runnable step) {
        beforeStop.add(step);
    }

    // ---- for applications, to look at

    /** The electors of all leases of this service's routes, in no order. */
    public List<LeaseElector> electors() {
        RunningLeases now = running;
        return now == null ? List.of() : now.electors();
    }

    /** See {@link LeaseClient#worstTimerLateness}; zero while no route is leased. */
    public Duration worstTimerLateness() {
        RunningLeases now = running;
        return now == null ? Duration.ZERO : now.worstTimerLateness();
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return camelContext;
    }

    @Override
    public void setCamelContext(@Nullable CamelContext camelContext) {
        if (camelContext != null) {
            refuseSecond(camelContext);
        }
        this.camelContext = camelContext;
    }

    private void refuseSecond(CamelContext context) {
        CamelContext first = camelContext;
        boolean used = running != null || !requested.isEmpty();
        if (used && first != null && first != context) {
            throw new IllegalArgumentException("the lease service of CamelContext '" + first.getName()
                    + "' is used by CamelContext '" + context.getName()
                    + "' too, by a bean or a lease route policy that both"
                    + " have: each context needs its own");
        }
    }

    private CamelContext context() {
        return Objects.requireNonNull(camelContext, "the lease service has no CamelContext");
    }
}
