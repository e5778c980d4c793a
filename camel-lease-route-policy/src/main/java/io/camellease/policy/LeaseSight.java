/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.HolderId;
import io.camellease.core.Lease;
import io.camellease.core.LeaseClient;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseState;
import io.camellease.core.LeaseStore;
import java.util.Optional;

/**
 * Looks at leases as they are at this instant. Reads memory and clocks only.
 *
 * @param client whose leases they are
 * @param store where they are kept
 */
record LeaseSight(LeaseClient client, LeaseStore store) {

    LeaseStatus of(LeasedRoutes lease) {
        LeaseElector elector = lease.elector();
        Optional<Lease> grant = elector.lease();
        // a node that is no candidate looks no more
        boolean looks = elector.state() != LeaseState.STOPPED;
        Optional<LeaseRecord> seen = elector.lastSeen().filter(record -> looks && record.token() > 0);
        Optional<String> holder = grant.map(Lease::holder)
                .or(() -> seen.filter(LeaseRecord::isHeld).flatMap(LeaseRecord::holder))
                .map(HolderId::value);
        long token = grant.map(own -> own.token().value())
                .or(() -> seen.map(LeaseRecord::token))
                .orElse(0L);
        return new LeaseStatus(
                elector.name(),
                elector.state(),
                elector.check().isPresent(),
                lease.isPaused(),
                holder,
                token,
                elector.remaining(),
                elector.inState(),
                store.description(),
                store.dialect().orElse(""),
                lease.troubles()
                        .newest()
                        .or(client::storeTrouble)
                        .or(elector::unreadable)
                        .or(() -> withheld(elector)),
                lease.gates().stream().map(RouteGate::status).toList(),
                elector.counts());
    }

    private static Optional<String> withheld(LeaseElector elector) {
        return elector.isWithheld()
                ? Optional.of(
                        "nobody holds it, and this node has as many leases as maxLeases allows: raise that, or start"
                                + " another node")
                : Optional.empty();
    }
}
