/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseThreads;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelContextAware;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one CamelContext: where they are kept, how long they last, who this node is. There is one in each context,
 * bound as {@code leaseService} and configured by {@code camel.lease.*}, unless the application makes its own.
 *
 * <p>Options are checked when the context starts, all at once, also if no route is leased but a store is set; what is not set
 * here is taken from {@code camel.lease.*}. Setters are for before the start; the other methods are thread-safe.
 */
public final class LeaseService extends LeaseConfiguration implements CamelContextAware {

    /** What the client runs on; a test puts in clocks of its own. */
    Function<LeaseSettings, LeaseThreads> leaseThreads = LeaseThreads::system;

    private final LeaseRuntime runtime = new LeaseRuntime(this);
    private boolean automatic;
    private @Nullable CamelContext camelContext;

    /** The service of a context whose application makes none. */
    static LeaseService automatic() {
        LeaseService service = new LeaseService();
        service.automatic = true;
        return service;
    }

    boolean isAutomatic() {
        return automatic;
    }

    /**
     * The service of a context: the one that was added to it, else the one in its registry.
     *
     * @throws IllegalArgumentException if the registry has several and none was chosen, or the options are wrong
     */
    public static LeaseService of(CamelContext context) {
        return LeaseServices.of(context);
    }

    /** Makes the context start and stop this service. */
    void addTo(CamelContext context) {
        refuseSecond(context);
        LeaseServices.add(this, context);
    }

    /** What it does while it works. */
    LeaseRuntime runtime() {
        return runtime;
    }

    @Override
    protected void doInit() {
        LeaseProperties.apply(context(), options);
    }

    @Override
    protected void doStart() {
        runtime.start();
    }

    @Override
    protected void doStop() {
        runtime.stop();
    }

    // ---- for applications

    /**
     * Adds a listener that is told what happens to all leases of this service, after the routes were told (of a grant, when they are about to be). Events come in order, one
     * at a time, on a thread that all listeners share; one that blocks delays the other listeners and nothing else.
     */
    public void addListener(LeaseListener listener) {
        runtime.addListener(listener);
    }

    /** Takes a listener away again. */
    public void removeListener(LeaseListener listener) {
        runtime.removeListener(listener);
    }

    /** The durations in use; empty while no route is leased. */
    public Optional<LeaseSettings> settings() {
        return runtime.running().map(RunningLeases::settings);
    }

    /** The electors of all leases of this service's routes, in no order. */
    public List<LeaseElector> electors() {
        return runtime.running().map(RunningLeases::electors).orElseGet(List::of);
    }

    /** See {@link LeaseClient#worstTimerLateness}; zero while no route is leased. */
    public Duration worstTimerLateness() {
        return runtime.running().map(RunningLeases::worstTimerLateness).orElse(Duration.ZERO);
    }

    boolean isTimerAlive() {
        return runtime.running().map(RunningLeases::isTimerAlive).orElse(true);
    }

    Duration claimInterval() {
        return settings().map(LeaseSettings::claimInterval).orElse(Duration.ZERO);
    }

    /** Where this node stands with each lease that a route of this context has, by name. Reads memory and clocks only. */
    public List<LeaseStatus> statuses() {
        return runtime.running().map(RunningLeases::statuses).orElseGet(List::of);
    }

    /** Where this node stands with that lease; empty if no route of this context has it. Reads memory and clocks only. */
    public Optional<LeaseStatus> status(LeaseName name) {
        return runtime.running().flatMap(running -> running.status(name));
    }

    // ---- for operators

    /**
     * Lets another node have a lease: once the work in flight has ended it is released, and this node is no candidate for one ttl.
     * Does nothing if this node does not hold it.
     *
     * @return whether this node holds it
     * @throws IllegalArgumentException if no route of this context has that lease
     */
    public boolean handOver(LeaseName name) {
        return lease(name).handOver();
    }

    /**
     * Gives a lease back once the work in flight has ended; whichever node looks first has it then, which may be this one.
     *
     * @return whether this node holds it
     * @throws IllegalArgumentException if no route of this context has that lease
     */
    public boolean release(LeaseName name) {
        LeasedRoutes lease = lease(name);
        boolean holds = lease.elector().state().hasGrant();
        if (holds) {
            lease.release();
        }
        return holds;
    }

    /**
     * Keeps this node from claiming a lease until {@link #resumeCandidacy}, or until the process ends. A lease that it holds it
     * keeps.
     *
     * @throws IllegalArgumentException if no route of this context has that lease
     */
    public void pauseCandidacy(LeaseName name) {
        lease(name).pause(true);
    }

    /**
     * Ends {@link #pauseCandidacy}.
     *
     * @throws IllegalArgumentException if no route of this context has that lease
     */
    public void resumeCandidacy(LeaseName name) {
        lease(name).pause(false);
    }

    private LeasedRoutes lease(LeaseName name) {
        return runtime.running()
                .flatMap(now -> now.lease(name))
                .orElseThrow(() -> new IllegalArgumentException("no route of this context has lease '" + name + "'"));
    }

    // ---- for other users of leases in this context

    /** Whether the service runs and leases are not switched off. */
    public boolean isRunning() {
        return runtime.isRunning();
    }

    /** Who this process is to others; empty while the service does not run. */
    public Optional<HolderId> holder() {
        return isRunning() ? Optional.of(runtime.open().holder()) : Optional.empty();
    }

    /**
     * The name of a lease of this application, {@code application/local}.
     *
     * @throws IllegalArgumentException if it breaks the rule of {@link LeaseName}, or there is no application name
     */
    public LeaseName leaseName(String local) {
        return runtime.leaseName(local);
    }

    /**
     * The elector of a lease that is no route's, under the store, durations and holder of this service. It claims whenever it can,
     * and does not count for {@link #setMaxLeases(int)}.
     *
     * @throws IllegalStateException if the service does not run, or the lease has an elector already
     */
    public LeaseElector elector(LeaseName name, LeaseListener listener) {
        if (!isRunning()) {
            throw new IllegalStateException("the lease service does not run, so lease '" + name + "' has no elector");
        }
        return runtime.open().newElector(name, listener);
    }

    /** The elector that this context has of that name already, be it a route's or not; empty while the service does not run. */
    public Optional<LeaseElector> existing(LeaseName name) {
        return runtime.running().flatMap(now -> now.existing(name));
    }

    /** All electors of this context, be they routes' or not, in no order. */
    public Collection<LeaseElector> allElectors() {
        return runtime.running().map(RunningLeases::allElectors).orElseGet(List::of);
    }

    /** The note for people that leases of this process have: where and what it is. Empty while the service does not run. */
    public String note() {
        return runtime.running().map(RunningLeases::note).orElse("");
    }

    /** Forgets an elector that {@link #elector} made; a lease that it holds is left to expire. */
    public void remove(LeaseElector elector) {
        runtime.running().ifPresent(now -> now.remove(elector));
    }

    /**
     * The locks of this node, under the store and durations of this service, and a holder id of their own.
     *
     * @throws IllegalStateException if the service does not run
     */
    public LeaseLocks locks() {
        if (!isRunning()) {
            throw new IllegalStateException("the lease service does not run, so it has no locks");
        }
        return runtime.open().locks();
    }

    /** Whether this node has, at this instant, the grant of that token, by an elector or as a lock. Reads clocks only. */
    public boolean isHeld(LeaseName name, long token) {
        return runtime.running().filter(now -> now.isHeld(name, token)).isPresent();
    }

    /** Whether leases are switched off, {@code camel.lease.enabled=false}: then all may do everything. */
    public boolean isDisabled() {
        return !runtime.isEnabled();
    }

    /** Runs a step once, before this service stops: the last moment at which a lease can be given back. It may block. */
    public void beforeStop(Runnable step) {
        runtime.beforeStop(step);
    }

    // ---- the context

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
        if (runtime.isUsed() && first != null && first != context) {
            throw new IllegalArgumentException("the lease service of CamelContext '" + first.getName()
                    + "' is used by CamelContext '" + context.getName()
                    + "' too, by a bean or a lease route policy that both"
                    + " have: each context needs its own");
        }
    }

    CamelContext context() {
        return Objects.requireNonNull(camelContext, "the lease service has no CamelContext");
    }
}
