/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseElector;
import io.camellease.policy.LeaseService;
import java.util.Objects;
import org.apache.camel.Exchange;
import org.apache.camel.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether this node holds a lease at this instant, whatever lease the exchange is under: for a {@code filter} or {@code
 * choice} in a route that has no lease of its own. To be configured as a bean. Reads clocks only; true if leases are switched
 * off. Thread-safe once configured.
 *
 * <p>For a step that must not happen without the lease of the exchange itself, use {@code leaseCheck} or {@code
 * operation=check}.
 */
public final class LeaseHeld implements Predicate {

    private volatile @Nullable String name;

    /** A predicate whose name is set later. */
    public LeaseHeld() {}

    /** See {@link #setName}. */
    public LeaseHeld(String name) {
        this.name = name;
    }

    /** The name of the lease, after {@code application/}: the id of a leased route, or the name in a {@code lease:} endpoint. */
    public void setName(String name) {
        this.name = name;
    }

    @Override
    public boolean matches(Exchange exchange) {
        LeaseService leases = LeaseService.of(exchange.getContext());
        String local = Objects.requireNonNull(name, "the name of the lease is not set");
        return leases.isDisabled()
                || leases.existing(leases.leaseName(local))
                        .flatMap(LeaseElector::check)
                        .isPresent();
    }

    @Override
    public String toString() {
        return "leaseHeld(" + name + ")";
    }
}
