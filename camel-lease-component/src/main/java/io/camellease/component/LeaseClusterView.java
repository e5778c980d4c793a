/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.Lease;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseEvent;
import io.camellease.core.LeaseListener;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.apache.camel.CamelContext;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;

/**
 * One namespace, led by the process that holds its lease. Thread-safe.
 *
 * <p>A lease that was lost or is given back stays unclaimed by this process until all listeners were told and have returned,
 * because stopping what they started is their part.
 */
final class LeaseClusterView extends ServiceSupport implements CamelClusterView, LeaseListener {

    private final LeaseClusterService service;
    private final String namespace;
    private final Executor turns;
    private final ClusterListeners listeners;
    private volatile Leadership leadership = Leadership.NOBODY;
    private volatile @Nullable LeaseElector elector;
    private volatile boolean unleased;
    private volatile Future<?> toldAtStop = CompletableFuture.completedFuture(null);

    /** A grant that is over while listeners could not be told; confined to the thread of the turns. */
    private @Nullable Lease untold;

    /**
     * A view that does nothing until it is started.
     *
     * @param turns runs one step after the other
     */
    LeaseClusterView(LeaseClusterService service, String namespace, Executor turns) {
        this.service = service;
        this.namespace = namespace;
        this.turns = turns;
        this.listeners = new ClusterListeners(this, turns, service::mayTell);
    }

    // ---- life

    @Override
    protected void doStart() {
        if (elector == null) {
            elector = service.elector(namespace, this).orElse(null);
        }
        LeaseElector mine = elector;
        unleased = mine == null;
        if (mine != null) {
            mine.start();
        } else {
            turns.execute(() -> become(Leadership.local(localId())));
        }
    }

    /** Asks for an end and does not wait for it: whoever calls may hold a lock that a listener needs. */
    @Override
    protected void doStop() {
        LeaseElector mine = elector;
        if (mine != null) {
            mine.stop();
        } else {
            turns.execute(() -> become(Leadership.NOBODY));
        }
    }

    /** This process is about to end: it does not come to lead any more, and what it leads it leads until {@link #stop}. */
    void standDown() {
        LeaseElector mine = elector;
        if (mine != null && !mine.state().hasGrant()) {
            mine.stop();
        }
    }

    /** Whoever uses it sees nobody lead from now on; the lease, if this process still has it, is left to expire. */
    void forget() {
        LeaseElector mine = elector;
        if (mine != null) {
            elector = null;
            leadership = Leadership.NOBODY;
            service.forget(mine);
        }
    }

    /** Listeners may be told again: what had to wait for that is done now. */
    void makeUp() {
        turns.execute(() -> {
            listeners.tell(leadership);
            Lease over = untold;
            if (over != null) {
                untold = null;
                whenQuiet(over);
            }
        });
    }

    /** Whether this process neither holds the lease nor wants it. */
    boolean isOver() {
        LeaseElector mine = elector;
        return mine == null || mine.state() == LeaseState.STOPPED;
    }

    /** The context begins to stop; completes when what the listeners are being told now has been told. */
    CompletableFuture<Void> contextStopping() {
        CompletableFuture<Void> told = listeners.toldAll();
        toldAtStop = told;
        return told;
    }

    /**
     * Whether waiting for its end would be in vain: a listener that was being told something when the context began to stop has
     * still not returned, or the caller is a listener that is told just now.
     */
    boolean isStuck() {
        return isTellingCaller() || !toldAtStop.isDone();
    }

    /** Whether the caller is a listener of this view, who is told just now. */
    boolean isTellingCaller() {
        return listeners.isBeingTold();
    }

    // ---- what happens to the lease

    @Override
    public void onEvent(LeaseEvent event) {
        turns.execute(() -> take(event));
    }

    private void take(LeaseEvent event) {
        if (event instanceof LeaseEvent.Granted
                || event instanceof LeaseEvent.Resumed
                || event instanceof LeaseEvent.Secured) {
            lead();
        } else if (event instanceof LeaseEvent.Suspended) {
            become(Leadership.NOBODY);
        } else if (event instanceof LeaseEvent.Draining draining) {
            end(draining.lease());
        } else if (event instanceof LeaseEvent.Lost lost) {
            end(lost.lease());
        } else if (event instanceof LeaseEvent.HolderChanged changed) {
            become(leaderOf(changed.record()));
        }
    }

    /** The event may be old: what counts is whether the lease can be relied on now. */
    private void lead() {
        LeaseElector mine = elector;
        if (mine == null || mine.check().isEmpty()) {
            return;
        }
        if (service.mayTell() || listeners.believeToLead()) {
            become(Leadership.local(localId()));
        } else {
            // granted while this process stops: nothing would be started here
            mine.stop();
        }
    }

    private void end(Lease lease) {
        become(Leadership.NOBODY);
        if (listeners.believeToLead()) {
            // what they run goes on until they are told
            untold = lease;
        } else {
            whenQuiet(lease);
        }
    }

    private void whenQuiet(Lease lease) {
        LeaseElector mine = elector;
        if (mine != null) {
            service.whenQuiet(namespace, () -> mine.drained(lease), mine::drainAbandoned);
        }
    }

    private static Leadership leaderOf(LeaseRecord record) {
        return record.isHeld()
                ? record.holder()
                        .map(holder -> Leadership.remote(holder.value()))
                        .orElse(Leadership.NOBODY)
                : Leadership.NOBODY;
    }

    private void become(Leadership next) {
        leadership = next;
        listeners.tell(next);
    }

    @Override
    public void addEventListener(CamelClusterEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeEventListener(CamelClusterEventListener listener) {
        listeners.remove(listener);
    }

    // ---- who is there

    boolean leads() {
        LeaseElector mine = elector;
        return leadership.local() && (unleased || (mine != null && mine.check().isPresent()));
    }

    private String localId() {
        return service.localId();
    }

    /** The leader as a member; null if nobody leads. */
    @Nullable
    CamelClusterMember member(Leadership now) {
        String leader = now.leader();
        if (leader == null) {
            return null;
        }
        return now.local() ? getLocalMember() : remoteMember(leader);
    }

    private CamelClusterMember remoteMember(String id) {
        return new LeaseClusterMember(id, false, () -> id.equals(leadership.leader()));
    }

    @Override
    public Optional<CamelClusterMember> getLeader() {
        Leadership now = leadership;
        return now.local() && !leads() ? Optional.empty() : Optional.ofNullable(member(now));
    }

    @Override
    public CamelClusterMember getLocalMember() {
        return new LeaseClusterMember(localId(), true, this::leads);
    }

    /** This process, and the leader if it is another one: a standby leaves no trace in the store that others could see. */
    @Override
    public List<CamelClusterMember> getMembers() {
        Leadership now = leadership;
        String leader = now.leader();
        return now.local() || leader == null
                ? List.of(getLocalMember())
                : List.of(getLocalMember(), remoteMember(leader));
    }

    @Override
    public CamelClusterService getClusterService() {
        return service;
    }

    @Override
    public String getNamespace() {
        return namespace;
    }

    @Override
    public @Nullable CamelContext getCamelContext() {
        return service.getCamelContext();
    }

    @Override
    public void setCamelContext(@Nullable CamelContext camelContext) {
        // that of the service counts
    }

    @Override
    public String toString() {
        return "cluster namespace '" + namespace + "'";
    }
}
