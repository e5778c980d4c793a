/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.core.LeaseStore;
import io.camellease.policy.LeaseService;
import io.camellease.testkit.FaultyLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;

/** One CamelContext with a lease cluster service, and its own link to the store that it shares with others. */
final class Member implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(2);
    private static final int SHUTDOWN_SECONDS = 10;

    final DefaultCamelContext context = new DefaultCamelContext();
    final LeaseClusterService cluster = new LeaseClusterService();
    final FaultyLeaseStore store;
    final LeaseService leases = new LeaseService();

    Member(String label, String application, LeaseStore shared) throws Exception {
        store = new FaultyLeaseStore(shared);
        context.getCamelContextExtension().setName(label);
        context.disableJMX();
        context.getShutdownStrategy().setTimeout(SHUTDOWN_SECONDS);
        leases.setNode(label);
        leases.setApplication(application);
        leases.setClient(store);
        leases.setTtl(TTL);
        context.getRegistry().bind("leases", leases);
        context.addService(cluster, true, false);
    }

    /** The lease of a namespace. */
    LeaseName lease(String namespace) {
        return leases.leaseName("namespace:" + namespace);
    }

    @Override
    public void close() {
        store.heal();
        store.releaseHanging();
        context.stop();
    }

    /**
     * What a listener was told, with what the view showed meanwhile.
     *
     * @param leader the id of the leader, or null if there is none
     * @param local whether this process leads, by its own member
     */
    record Told(@Nullable String leader, boolean local, boolean leaderShown, int members) {}

    /** Notes what it is told. */
    static final class Witness implements CamelClusterEventListener.Leadership {
        final List<Told> told = new CopyOnWriteArrayList<>();

        @Override
        public void leadershipChanged(CamelClusterView view, CamelClusterMember leader) {
            told.add(new Told(
                    leader == null ? null : leader.getId(),
                    view.getLocalMember().isLeader(),
                    view.getLeader().isPresent(),
                    view.getMembers().size()));
        }
    }
}
