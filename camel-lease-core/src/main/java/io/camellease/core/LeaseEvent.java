/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;

/** What happened to a lease, as data. */
public sealed interface LeaseEvent {

    /** Whose event it is. */
    LeaseName name();

    /** Something that happened to one's own grant. */
    sealed interface OfGrant extends LeaseEvent {
        /** The grant. */
        Lease lease();

        @Override
        default LeaseName name() {
            return lease().name();
        }
    }

    /** A new grant, once per token; a renewal is no event. */
    record Granted(Lease lease) implements OfGrant {}

    /**
     * The outcome of a renewal is unknown, or a clock jumped; renewals are tried more often.
     *
     * @param untilSuspension how long work may still begin; zero if a clock jumped, because then none may; not negative
     */
    record AtRisk(Lease lease, Duration untilSuspension) implements OfGrant {}

    /** Renewed again after {@link AtRisk}, before {@link Suspended}. */
    record Secured(Lease lease) implements OfGrant {}

    /** U has passed: no work may begin; the grant may come back with {@link Resumed}. */
    record Suspended(Lease lease) implements OfGrant {}

    /** Renewed after {@link Suspended}: work may begin again, under the same token. */
    record Resumed(Lease lease) implements OfGrant {}

    /** Asked to stop: the work in flight must end; then {@link LeaseElector#drained} releases the lease. */
    record Draining(Lease lease) implements OfGrant {}

    /** The grant is over and may not be relied on. */
    record Lost(Lease lease, LossReason reason) implements OfGrant {}

    /** The grant is given back. */
    record Released(Lease lease) implements OfGrant {}

    /** A candidate sees another holder, or another token, than before. */
    record HolderChanged(LeaseRecord record) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return record.name();
        }
    }

    /**
     * The record holds a smaller token, or an older renewal of the same one, than was seen before: it was deleted or restored
     * from a backup. Nobody who saw the newer record claims for one ttl.
     *
     * @param record as it is now
     * @param highestToken the largest token seen before
     */
    record RecordWentBack(LeaseRecord record, long highestToken) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return record.name();
        }
    }

    /**
     * The record cannot be read, so it is not claimed (rule S11).
     *
     * @param why where the record is, what is wrong and what to do
     */
    record RecordUnreadable(LeaseName name, String why) implements LeaseEvent {}
}
