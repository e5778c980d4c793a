/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;

/** A lease of this node, as an MBean. Thread-safe; reads memory only. */
@ManagedResource(description = "A lease of this node")
public final class ManagedLease {

    private final LeaseService service;
    private final LeaseName name;

    ManagedLease(LeaseService service, LeaseName name) {
        this.service = service;
        this.name = name;
    }

    private <T> T read(Function<LeaseStatus, T> attribute, T absent) {
        Optional<LeaseStatus> found = service.status(name);
        return found.map(attribute).orElse(absent);
    }

    /** The name of the lease. */
    @ManagedAttribute(description = "Name of the lease")
    public String getLeaseName() {
        return name.value();
    }

    /** The state of this node; see {@link io.camellease.core.LeaseState}. */
    @ManagedAttribute(description = "Where this node stands with the lease")
    public String getState() {
        return read(status -> status.state().name(), "");
    }

    /** What this node is to the lease; see {@link LeaseRole}. */
    @ManagedAttribute(description = "HOLDER, STANDBY or NONE")
    public String getRole() {
        return read(status -> status.role().name(), "");
    }

    /** The fencing token of the newest grant that this node knows of; 0 if none. */
    @ManagedAttribute(description = "Fencing token of the newest grant that this node knows of")
    public long getToken() {
        return read(LeaseStatus::token, 0L);
    }

    /** Who holds the lease, as far as this node knows; empty if nobody was seen to, or this node does not look. */
    @ManagedAttribute(description = "Who holds the lease, as far as this node knows")
    public String getHolder() {
        return read(status -> status.holder().orElse(""), "");
    }

    /** How long this node's grant lasts unless it is renewed; 0 if it has none. */
    @ManagedAttribute(description = "How long the grant of this node lasts unless it is renewed, in milliseconds")
    public long getRemainingMillis() {
        return read(status -> status.remaining().toMillis(), 0L);
    }

    /** How long this node has been in its state. */
    @ManagedAttribute(description = "How long this node has been in its state, in seconds")
    public long getSinceSeconds() {
        return read(status -> status.inState().toSeconds(), 0L);
    }

    /** What went wrong last and has not gone right since; empty if all is well. */
    @ManagedAttribute(description = "What went wrong last and has not gone right since")
    public String getLastError() {
        return read(status -> status.lastError().orElse(""), "");
    }

    /** Whether an operator keeps this node from claiming the lease. */
    @ManagedAttribute(description = "Whether an operator keeps this node from claiming the lease")
    public boolean isPaused() {
        return read(LeaseStatus::paused, false);
    }

    /** Where the record is. */
    @ManagedAttribute(description = "Where the record is")
    public String getStore() {
        return read(LeaseStatus::store, "");
    }

    /** The routes of the lease. */
    @ManagedAttribute(description = "Routes of the lease on this node")
    public List<String> getRoutes() {
        return read(
                status -> status.routes().stream()
                        .map(LeaseStatus.RouteStatus::id)
                        .toList(),
                List.of());
    }

    /** See {@link LeaseService#handOver}. */
    @ManagedOperation(description = "Lets another node have the lease once the work in flight has ended")
    public boolean handOver() {
        return service.handOver(name);
    }

    /** See {@link LeaseService#release}. */
    @ManagedOperation(
            description = "Gives the lease back once the work in flight has ended; this node may claim it again")
    public boolean release() {
        return service.release(name);
    }

    /** See {@link LeaseService#pauseCandidacy}. */
    @ManagedOperation(description = "Keeps this node from claiming the lease; what it holds it keeps")
    public void pauseCandidacy() {
        service.pauseCandidacy(name);
    }

    /** See {@link LeaseService#resumeCandidacy}. */
    @ManagedOperation(description = "Lets this node claim the lease again")
    public void resumeCandidacy() {
        service.resumeCandidacy(name);
    }
}
