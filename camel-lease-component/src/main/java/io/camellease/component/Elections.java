/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.LeaseName;
import io.camellease.policy.LeaseService;
import java.util.HashMap;
import java.util.Map;

/** The elections in which {@code lease:} consumers of this context take part, by lease. Thread-safe. */
final class Elections {

    private final LeaseComponent component;
    private final Map<LeaseName, Election> byName = new HashMap<>();

    Elections(LeaseComponent component) {
        this.component = component;
    }

    /** Takes part in the election of a lease of this application. */
    synchronized Election join(String localName, LeaseConsumer consumer) {
        LeaseService leases = component.leases();
        LeaseName name = leases.leaseName(localName);
        Election election = byName.computeIfAbsent(name, missing -> new Election(missing, leases, this));
        election.join(consumer);
        return election;
    }

    /** A consumer has ended; an election without consumers is forgotten as soon as its lease is given back. */
    synchronized void left(Election election, LeaseConsumer consumer) {
        if (election.left(consumer)) {
            byName.remove(election.name(), election);
        }
    }

    /** See {@link Election#isOver}. */
    synchronized void forgetIfOver(Election election) {
        if (election.isOver()) {
            byName.remove(election.name(), election);
        }
    }
}
