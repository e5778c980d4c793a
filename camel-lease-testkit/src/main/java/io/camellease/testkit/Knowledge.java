/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.ClaimResult;
import io.camellease.core.Found;
import io.camellease.core.Lease;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a simulated process has heard from the store, and so is bound to take into account. Not thread-safe. */
final class Knowledge {

    /** How far a record had got. */
    record Seen(long token, long seq) implements Comparable<Seen> {

        static final Seen NOTHING = new Seen(0, 0);

        static Seen of(LeaseRecord record) {
            return new Seen(record.token(), record.seq());
        }

        @Override
        public int compareTo(Seen other) {
            return token != other.token ? Long.compare(token, other.token) : Long.compare(seq, other.seq);
        }
    }

    private final SimulatedProcess process;
    private final Map<LeaseName, Seen> newest = new HashMap<>();
    private Optional<Duration> clockSteps = Optional.empty();

    Knowledge(SimulatedProcess process) {
        this.process = process;
    }

    /** Its electors have been given this reply. */
    void heard(Reply reply) {
        if (reply.answer() instanceof Found found) {
            if (found.storeNow().isPresent()) {
                clockSteps = Optional.of(reply.clockSteps());
            }
            found.records().values().forEach(this::saw);
        } else if (reply.answer() instanceof ClaimResult.Granted granted) {
            Lease lease = granted.lease();
            // one that nobody waited for any more is given back and forgotten
            if (process.elector(lease.name()).lease().equals(Optional.of(lease))) {
                saw(lease.name(), new Seen(lease.token().value(), 0));
            }
        }
    }

    private void saw(LeaseRecord record) {
        // one that was stopped meanwhile takes no notice
        if (process.elector(record.name()).state() == LeaseState.WAITING) {
            saw(record.name(), Seen.of(record));
        }
    }

    private void saw(LeaseName name, Seen seen) {
        newest.merge(name, seen, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }

    /** Whether a look at the store's clock shows that it moved. */
    boolean showsStep(Duration stepsNow) {
        return clockSteps.isPresent() && !clockSteps.get().equals(stepsNow);
    }

    /** Whether a look at the record shows that it is older than one that was seen before, of the given grant or a later one. */
    boolean showsRewriting(LeaseName name, Seen before, Seen now) {
        Seen seen = newest.getOrDefault(name, Seen.NOTHING);
        return seen.token() >= before.token() && seen.compareTo(now) > 0;
    }
}
