/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseTimer;
import io.camellease.policy.LeaseService;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.LifecycleStrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@code lease:} endpoints. Store, ttl and node are those of the context's {@link LeaseService}, {@code camel.lease.*}.
 * Thread-safe once configured.
 */
@Component("lease")
public class LeaseComponent extends DefaultComponent {

    private final Elections elections = new Elections(this);
    private final RouteStops routeStops = new RouteStops();
    private final LifecycleStrategySupport stopping = new LifecycleStrategySupport() {
        @Override
        public void onContextStopping(CamelContext context) {
            refuseWaiters();
        }
    };
    private final BusyThreads events = new BusyThreads(this, "LeaseEvents");
    private final BusyThreads callbacks = new BusyThreads(this, "LeaseCallbacks");

    /** Made when it is asked for: most applications need none. */
    private @Nullable LeaseTimer timer;

    private final AtomicBoolean usesLeases = new AtomicBoolean();
    private volatile boolean usesLocks;

    /** A component whose options are set later. */
    public LeaseComponent() {}

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        LeaseEndpoint endpoint = new LeaseEndpoint(uri, this, remaining);
        setProperties(endpoint, parameters);
        endpoint.checkOptions();
        return endpoint;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        getCamelContext().addLifecycleStrategy(stopping);
        routeStops.follow(getCamelContext());
    }

    @Override
    protected void doStop() throws Exception {
        events.end();
        callbacks.end();
        endTimer();
        super.doStop();
    }

    /**
     * The context stops its routes next, and waits for their exchanges, some of which wait for a lock. A component that is
     * stopped alone ends nobody's wait: others of this context use the same locks.
     */
    private void refuseWaiters() {
        if (usesLocks && leases().isRunning()) {
            leases().locks().refuse();
        }
    }

    /** A consumer or producer uses leases from now on, so that the service is not taken for one that nobody uses. */
    void useLeases() {
        if (usesLeases.compareAndSet(false, true)) {
            leases().beforeStop(() -> {
                usesLeases.set(false);
                usesLocks = false;
                elections.endAll();
            });
        }
    }

    LeaseLocks locks() {
        usesLocks = true;
        return leases().locks();
    }

    LeaseService leases() {
        return LeaseService.of(getCamelContext());
    }

    RouteStops routeStops() {
        return routeStops;
    }

    Elections elections() {
        return elections;
    }

    /** Runs a step that does not block after some time; not if this is stopped before. */
    synchronized void later(Runnable step, long nanos) {
        if (isStoppingOrStopped()) {
            return;
        }
        LeaseTimer now = timer == null ? LeaseTimer.thread("lease-later") : timer;
        timer = now;
        LeaseTimer.Scheduled unused = now.schedule(step, nanos);
    }

    private synchronized void endTimer() {
        LeaseTimer ends = timer;
        timer = null;
        if (ends != null) {
            ends.close();
        }
    }

    /** Runs what consumers tell their routes: as many threads as consumers have something to tell at the same time. */
    Executor events() {
        return events;
    }

    /** Goes on with exchanges whose operation has been answered: as many threads as such exchanges are at work. */
    Executor callbacks() {
        return callbacks;
    }
}
