/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseSettings;
import io.camellease.core.LeaseTimer;
import io.camellease.policy.LeaseService;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Ordered;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.spi.annotations.JdkService;
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

    private final ClusterViews views = new ClusterViews(this::newView);
    private int order = Ordered.LOWEST;
    private String id = "lease-cluster";
    private @Nullable CamelContext camelContext;
    private volatile @Nullable Running running;

    /** Whose end this service is told of. */
    private volatile @Nullable LeaseService ended;

    private final ClusterHush hush = new ClusterHush(views, this::drainNanos);

    /** Whether the end was waited for in vain: what asks for it again does not wait again. */
    private volatile boolean gaveUp;

    /** What exists while the service runs. */
    private record Running(LeaseService leases, LeaseTimer timer, MasterRoutes masterRoutes) {}

    // ---- life

    @Override
    protected void doInit() {
        context().addLifecycleStrategy(hush);
    }

    @Override
    protected void doStart() throws Exception {
        LeaseService leases = LeaseService.of(context());
        if (!leases.equals(ended)) {
            ended = leases;
            leases.beforeStop(() -> {
                ended = null;
                endAll();
            });
        }
        LeaseTimer timer = LeaseTimer.thread("lease-cluster");
        running = new Running(leases, timer, new MasterRoutes(context(), timer));
        gaveUp = false;
        views.startAll();
    }

    @Override
    protected void doStop() {
        endAll();
        Running ends = running;
        if (ends != null) {
            views.all().forEach(LeaseClusterView::forget);
            running = null;
            ends.timer().close();
        }
    }

    @Override
    protected void doShutdown() {
        views.clear();
    }

    /**
     * Ends all views, and waits until their listeners were told, what they ran has ended, and the leases are given back: for
     * as long as the drain of a route may take. No listener is told while a lock is held that its owner needs to come here.
     */
    private void endAll() {
        Running now = running;
        if (now == null || gaveUp) {
            return;
        }
        views.stopAll();
        // the routes are down, or their controller waits until their policies have stopped them
        hush.end();
        Collection<LeaseClusterView> stuck =
                views.all().stream().filter(LeaseClusterView::isStuck).toList();
        Collection<LeaseClusterView> others =
                views.all().stream().filter(view -> !stuck.contains(view)).toList();
        try {
            gaveUp = !ClusterViews.awaitOver(others, now.timer(), drainNanos()) || !stuck.isEmpty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        warnOfLate();
    }

    private void warnOfLate() {
        List<String> late = views.all().stream()
                .filter(view -> !view.isOver())
                .map(LeaseClusterView::getNamespace)
                .toList();
        if (!late.isEmpty()) {
            LOG.warn("Cluster namespaces {} take too long to end: their leases are left to expire", late);
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
        return views.use(Objects.requireNonNull(namespace, "namespace"));
    }

    private LeaseClusterView newView(String namespace) {
        // with the name of the application it may be illegal still, which is known when it is started
        var unused = new LeaseName("namespace:" + namespace);
        return new LeaseClusterView(this, namespace, new ClusterTurns(namespace));
    }

    /** Gives back what {@link #getView} gave; the last user ends the part that this process takes in the namespace. */
    @Override
    public void releaseView(CamelClusterView view) {
        views.giveBack(view);
    }

    /** The namespaces that were asked for since the start. */
    @Override
    public Collection<String> getNamespaces() {
        return views.namespaces();
    }

    /** Takes part in a namespace again after {@link #stopView}. Does nothing if nobody asked for it. */
    @Override
    public void startView(String namespace) {
        views.start(namespace);
    }

    /** Takes no part in a namespace any more, whoever uses it: its listeners are told, then the lease is given back. */
    @Override
    public void stopView(String namespace) {
        views.find(namespace).ifPresent(LeaseClusterView::stop);
    }

    @Override
    public boolean isLeader(String namespace) {
        return views.find(namespace).filter(LeaseClusterView::leads).isPresent();
    }

    // ---- for the views

    /** Whether listeners may be told now. */
    boolean mayTell() {
        return !hush.isOn();
    }

    /** The elector of a namespace; empty if leases are switched off, so that every process leads. */
    Optional<LeaseElector> elector(String namespace, LeaseListener listener) {
        LeaseService leases = now().leases();
        return leases.isDisabled()
                ? Optional.empty()
                : Optional.of(leases.elector(leases.leaseName("namespace:" + namespace), listener));
    }

    /** An elector that a view does not need any more. */
    void forget(LeaseElector elector) {
        now().leases().remove(elector);
    }

    String localId() {
        Running now = running;
        return now == null ? "" : now.leases().holder().map(HolderId::value).orElse("unleased");
    }

    /**
     * See {@link MasterRoutes#whenQuiet}; what takes longer than a drain may take, takes too long. Does nothing once the service
     * has stopped: it has waited, and the lease is left to expire.
     */
    void whenQuiet(String namespace, Runnable quiet, Runnable takesTooLong) {
        Running now = running;
        if (now != null) {
            now.masterRoutes().whenQuiet(namespace, drainNanos(), quiet, takesTooLong);
        }
    }

    private long drainNanos() {
        Running now = running;
        return now == null
                ? 0
                : now.leases()
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

    /** From here on it is a service of the context, also if it is only a bean in its registry. */
    @Override
    public void setCamelContext(@Nullable CamelContext camelContext) {
        if (camelContext != null && this.camelContext == null) {
            camelContext.addLifecycleStrategy(new BeanBecomesService(this));
        }
        this.camelContext = camelContext;
    }

    private CamelContext context() {
        return Objects.requireNonNull(camelContext, "the cluster service has no CamelContext");
    }
}
