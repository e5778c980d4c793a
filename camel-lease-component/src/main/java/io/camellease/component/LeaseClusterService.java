/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseTimer;
import io.camellease.policy.LeaseService;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.Ordered;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.spi.InflightRepository;
import org.apache.camel.spi.annotations.JdkService;
import org.apache.camel.support.LifecycleStrategySupport;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Camel's cluster service on leases: of all processes that take part in a namespace, the one that holds its lease leads it.
 * For {@code master:} endpoints, {@code ClusteredRoutePolicy} and {@code ClusteredRouteController}.
 *
 * <p>Store, ttl and node are those of the context's {@link LeaseService}, {@code camel.lease.*}. The lease of a namespace is
 * called {@code application/namespace:NAMESPACE}. Thread-safe once configured.
 */
@JdkService("cluster-service-lease")
public final class LeaseClusterService extends ServiceSupport implements CamelClusterService {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClusterService.class);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<String, Used> views = new ConcurrentHashMap<>();
    private int order = Ordered.LOWEST;
    private String id = "lease-cluster";
    private @Nullable CamelContext camelContext;
    private volatile @Nullable Running running;

    private final Hush hush = new Hush();
    private volatile boolean routesAreBeingStopped;

    /** False once the end has begun, when listeners may still ask for views. */
    private volatile boolean takesPart;

    /** What exists while the service runs. */
    private record Running(LeaseService leases, LeaseTimer timer) {}

    /** A view, and how many asked for it and did not give it back. */
    private record Used(LeaseClusterView view, AtomicInteger users, ExecutorService turns) {}

    // ---- life

    /**
     * Keeps listeners from being told anything while Camel stops the routes. Camel's clustered policy holds its own lock and
     * wants that of the route when it is told, and the other way round when its route is removed: both at once would block for
     * ever.
     */
    private final class Hush extends LifecycleStrategySupport {
        @Override
        public void onContextStarting(CamelContext context) {
            routesAreBeingStopped = false;
        }

        @Override
        public void onContextStopping(CamelContext context) {
            if (running != null) {
                routesAreBeingStopped = true;
                awaitToldAll();
            }
        }
    }

    private void awaitToldAll() {
        CompletableFuture<?>[] beingTold =
                views.values().stream().map(used -> used.view().toldAll()).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(beingTold).get(drainNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOG.warn(
                    "A listener of cluster namespaces {} takes too long; the context stops all the same",
                    getNamespaces(),
                    late);
        }
    }

    /** Whether listeners may be told now. */
    boolean mayTell() {
        return !routesAreBeingStopped;
    }

    @Override
    protected void doInit() {
        context().addLifecycleStrategy(hush);
    }

    @Override
    protected void doStart() throws Exception {
        LeaseService leases = LeaseService.of(context());
        leases.beforeStop(this::endAll);
        running = new Running(leases, LeaseTimer.thread("lease-cluster"));
        takesPart = true;
        for (Used used : views.values()) {
            if (used.users().get() > 0) {
                used.view().start();
            }
        }
    }

    @Override
    protected void doStop() {
        endAll();
        Running ends = running;
        if (ends != null) {
            running = null;
            ends.timer().close();
        }
        views.values().forEach(used -> context().getExecutorServiceManager().shutdown(used.turns()));
        views.clear();
    }

    /**
     * Ends all views, and waits until their listeners were told, what they ran has ended, and the leases are given back: for
     * as long as the drain of a route may take. No listener is told while a lock is held that its owner needs to come here.
     */
    private void endAll() {
        Running now = running;
        if (now == null) {
            return;
        }
        takesPart = false;
        // the routes are down, or their controller waits until their policies have stopped them
        routesAreBeingStopped = false;
        views.values().forEach(used -> used.view().stop());
        CountDownLatch over = new CountDownLatch(1);
        awaitOver(now.timer(), over);
        try {
            if (!over.await(drainNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn(
                        "Cluster namespaces {} take too long to end: their leases are left to expire", getNamespaces());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitOver(LeaseTimer timer, CountDownLatch over) {
        if (views.values().stream().allMatch(used -> used.view().isOver())) {
            over.countDown();
        } else {
            timer.schedule(() -> awaitOver(timer, over), LOOK_AGAIN_NANOS);
        }
    }

    // ---- views

    /**
     * The view of a namespace, which takes part in it while the service runs; to be given back by {@link #releaseView}.
     *
     * @throws IllegalArgumentException if the namespace makes no legal lease name
     */
    @Override
    public CamelClusterView getView(String namespace) {
        Used used = views.computeIfAbsent(Objects.requireNonNull(namespace, "namespace"), this::newView);
        used.users().incrementAndGet();
        if (takesPart) {
            used.view().start();
        }
        return used.view();
    }

    private Used newView(String namespace) {
        ExecutorService turns =
                context().getExecutorServiceManager().newSingleThreadExecutor(this, "lease-cluster-" + namespace);
        return new Used(new LeaseClusterView(this, namespace, turns), new AtomicInteger(), turns);
    }

    @Override
    public void releaseView(CamelClusterView view) {
        Used used = views.get(view.getNamespace());
        if (used != null && used.view() == view && used.users().decrementAndGet() == 0) {
            used.view().stop();
        }
    }

    /** The namespaces that were asked for since the start. */
    @Override
    public Collection<String> getNamespaces() {
        return Set.copyOf(views.keySet());
    }

    /** Takes part in a namespace again after {@link #stopView}. Does nothing if nobody asked for it. */
    @Override
    public void startView(String namespace) {
        view(namespace).filter(view -> takesPart).ifPresent(LeaseClusterView::start);
    }

    /** Takes no part in a namespace any more, whoever uses it: its listeners are told, then the lease is given back. */
    @Override
    public void stopView(String namespace) {
        view(namespace).ifPresent(LeaseClusterView::stop);
    }

    @Override
    public boolean isLeader(String namespace) {
        return view(namespace).filter(LeaseClusterView::leads).isPresent();
    }

    private Optional<LeaseClusterView> view(String namespace) {
        return Optional.ofNullable(views.get(namespace)).map(Used::view);
    }

    // ---- for the views

    /** The elector of a namespace; empty if leases are switched off, so that every process leads. */
    Optional<LeaseElector> elector(String namespace, LeaseListener listener) {
        LeaseService leases = now().leases();
        return leases.isRunning()
                ? Optional.of(leases.elector(leases.leaseName("namespace:" + namespace), listener))
                : Optional.empty();
    }

    String localId() {
        Running now = running;
        return now == null ? "" : now.leases().holder().map(HolderId::value).orElse("unleased");
    }

    /**
     * Runs the first step once nothing is in flight in the routes that are led by this namespace as {@code master:} routes:
     * their consumer is stopped without that being waited for. If that takes longer than a drain may take, runs the second
     * one before.
     */
    void whenQuiet(String namespace, Runnable quiet, Runnable takesTooLong) {
        whenQuiet(namespace, quiet, takesTooLong, drainNanos() / LOOK_AGAIN_NANOS);
    }

    private void whenQuiet(String namespace, Runnable quiet, Runnable takesTooLong, long looksLeft) {
        if (isQuiet(namespace)) {
            quiet.run();
            return;
        }
        if (looksLeft == 0) {
            takesTooLong.run();
        }
        now().timer().schedule(() -> whenQuiet(namespace, quiet, takesTooLong, looksLeft - 1), LOOK_AGAIN_NANOS);
    }

    private boolean isQuiet(String namespace) {
        InflightRepository inflight = context().getInflightRepository();
        return context().getRoutes().stream()
                .filter(route -> isMasterOf(namespace, route.getEndpoint().getEndpointUri()))
                .allMatch(route -> inflight.size(route.getRouteId()) == 0);
    }

    private static boolean isMasterOf(String namespace, String uri) {
        return uri.startsWith("master:" + namespace + ":") || uri.startsWith("master://" + namespace + ":");
    }

    private long drainNanos() {
        return now().leases()
                .settings()
                .map(LeaseSettings::drainTimeout)
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private Running now() {
        return Objects.requireNonNull(running, "the cluster service does not run");
    }

    // ---- what Camel asks for

    @Override
    public int getOrder() {
        return order;
    }

    /** Its place among several cluster services, if the selector looks at it; lower comes first. Default lowest. */
    public void setOrder(int order) {
        this.order = order;
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public void setId(String id) {
        this.id = id;
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return camelContext;
    }

    @Override
    public void setCamelContext(@Nullable CamelContext camelContext) {
        this.camelContext = camelContext;
    }

    private CamelContext context() {
        return Objects.requireNonNull(camelContext, "the cluster service has no CamelContext");
    }
}
