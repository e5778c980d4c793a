/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseLocks;
import io.camellease.policy.LeaseService;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.ThreadPoolProfile;
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

    private static final int DEFAULT_THREADS = 10;
    private static final int UNBOUNDED = -1;

    @Metadata(
            label = "producer,advanced",
            defaultValue = "10",
            description =
                    "How many threads go on with the exchanges whose operation has been answered. Exchanges that wait for"
                            + " a lock need no thread.")
    private int callbackThreads = DEFAULT_THREADS;

    private final Elections elections = new Elections(this);
    private final RouteStops routeStops = new RouteStops();
    private final LifecycleStrategySupport stopping = new LifecycleStrategySupport() {
        @Override
        public void onContextStopping(CamelContext context) {
            refuseWaiters();
        }
    };
    private @Nullable ExecutorService events;
    private @Nullable ExecutorService callbacks;
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
        refuseWaiters();
        shutdown(events);
        shutdown(callbacks);
        events = null;
        callbacks = null;
        super.doStop();
    }

    private void shutdown(@Nullable ExecutorService pool) {
        if (pool != null) {
            getCamelContext().getExecutorServiceManager().shutdown(pool);
        }
    }

    /** The context stops its routes next, and waits for their exchanges, some of which wait for a lock. */
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

    /** Runs what consumers tell their routes: as many threads as consumers have something to tell at the same time. */
    synchronized Executor events() {
        ExecutorService pool = events;
        if (pool == null) {
            pool = getCamelContext().getExecutorServiceManager().newCachedThreadPool(this, "LeaseEvents");
            events = pool;
        }
        return pool;
    }

    /** Goes on with exchanges whose operation has been answered. Its queue has one entry at most for each such exchange. */
    synchronized Executor callbacks() {
        ExecutorService pool = callbacks;
        if (pool == null) {
            ThreadPoolProfile profile = new ThreadPoolProfile("lease");
            profile.setPoolSize(callbackThreads);
            profile.setMaxPoolSize(callbackThreads);
            profile.setMaxQueueSize(UNBOUNDED);
            pool = getCamelContext().getExecutorServiceManager().newThreadPool(this, "LeaseCallbacks", profile);
            callbacks = pool;
        }
        return pool;
    }

    public int getCallbackThreads() {
        return callbackThreads;
    }

    /** How many threads go on with the exchanges whose operation has been answered; default 10. */
    public void setCallbackThreads(int callbackThreads) {
        this.callbackThreads = callbackThreads;
    }
}
