/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.policy.LeaseService;
import java.util.HashMap;
import java.util.Map;

/**
 * The elections in which {@code lease:} consumers of this context take part, by lease. Its monitor is the one lock of all of
 * them: whoever holds it neither blocks nor calls a route. Thread-safe.
 */
final class Elections {

    private final LeaseComponent component;
    private final Map<LeaseName, Election> byName = new HashMap<>();

    Elections(LeaseComponent component) {
        this.component = component;
    }

    /**
     * Takes part in the election of a lease of this application.
     *
     * @throws IllegalStateException if others than routes of this context take part in it, or the lease service does not run
     */
    synchronized Election join(String localName, LeaseConsumer consumer) {
        LeaseService leases = component.leases();
        LeaseName name = leases.leaseName(localName);
        Election known = byName.get(name);
        Election election = known == null ? new Election(name, leases, this) : known;
        election.join(consumer);
        byName.put(name, election);
        return election;
    }

    /** Takes the step a little later, under the lock; not at all once the component stops. */
    void later(Runnable step, long nanos) {
        component.later(
                () -> {
                    synchronized (this) {
                        step.run();
                    }
                },
                nanos);
    }

    /** Nobody takes part in it any more. */
    synchronized void forget(Election election) {
        byName.remove(election.name(), election);
    }

    /** The lease service ends, and with it all electors. */
    synchronized void endAll() {
        byName.values().forEach(Election::end);
        byName.clear();
    }
}
