/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log what happens to leases: lease, holder and token in this order. Thread-safe. */
final class EventLog {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseElector.class);

    private EventLog() {}

    static void write(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            writeGrant(ofGrant);
        } else if (event instanceof LeaseEvent.HolderChanged changed) {
            LeaseRecord record = changed.record();
            String holder = record.holder().map(HolderId::value).orElse("nobody");
            LOG.info("Lease '{}' is held by {} token {}: waiting", record.name(), holder, record.token());
        } else if (event instanceof LeaseEvent.RecordWentBack back) {
            LOG.warn(
                    "The record of lease '{}' went back from token {} to {}: it was deleted or restored from a backup. "
                            + "This node claims it no earlier than one ttl from now",
                    back.name(),
                    back.highestToken(),
                    back.record().token());
        } else if (event instanceof LeaseEvent.RecordUnreadable unreadable) {
            LOG.error(
                    "The record of lease '{}' cannot be read, so nobody can claim it: {}",
                    unreadable.name(),
                    unreadable.why());
        }
    }

    private static void writeGrant(LeaseEvent.OfGrant event) {
        Lease lease = event.lease();
        String what = describe(event);
        if (event instanceof LeaseEvent.AtRisk
                || event instanceof LeaseEvent.Suspended
                || event instanceof LeaseEvent.Lost) {
            LOG.warn("Lease '{}' of {} token {} {}", lease.name(), lease.holder(), lease.token(), what);
        } else {
            LOG.info("Lease '{}' of {} token {} {}", lease.name(), lease.holder(), lease.token(), what);
        }
    }

    private static String describe(LeaseEvent.OfGrant event) {
        if (event instanceof LeaseEvent.AtRisk atRisk) {
            return "could not be renewed: work stops in "
                    + atRisk.untilSuspension().toMillis() + " ms unless a renewal succeeds";
        }
        if (event instanceof LeaseEvent.Lost lost) {
            return lost.reason() == LossReason.REFUSED
                    ? "is lost: the store refused the renewal"
                    : "is lost: no renewal succeeded in time";
        }
        return Optional.of(event.getClass().getSimpleName())
                .map(kind -> switch (kind) {
                    case "Granted" -> "is granted";
                    case "Secured" -> "is renewed again";
                    case "Suspended" -> "is about to end: no work begins until a renewal succeeds";
                    case "Resumed" -> "is renewed in time: work goes on";
                    case "Draining" -> "is being given back: waiting for the work in flight";
                    default -> "is released";
                })
                .orElseThrow();
    }
}
