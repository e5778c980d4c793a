/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

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
                    "The record of lease '{}' went back from token {} to token {} renewal {}: it was deleted or restored. "
                            + "This node claims it no earlier than one ttl from now",
                    back.name(),
                    back.highestToken(),
                    back.record().token(),
                    back.record().seq());
        } else if (event instanceof LeaseEvent.RecordUnreadable unreadable) {
            LOG.error(
                    "The record of lease '{}' cannot be read, so nobody can claim it: {}",
                    unreadable.name(),
                    unreadable.why());
        } else {
            throw new IllegalStateException("unknown event " + event);
        }
    }

    private static void writeGrant(LeaseEvent.OfGrant event) {
        Lease lease = event.lease();
        String line = "Lease '{}' of {} token {} " + describe(event);
        if (isTrouble(event)) {
            LOG.warn(line, lease.name(), lease.holder(), lease.token());
        } else if (event instanceof LeaseEvent.AtRisk || event instanceof LeaseEvent.Secured) {
            // told once for the store, not for each of a thousand leases
            LOG.debug(line, lease.name(), lease.holder(), lease.token());
        } else {
            LOG.info(line, lease.name(), lease.holder(), lease.token());
        }
    }

    private static boolean isTrouble(LeaseEvent.OfGrant event) {
        return (event instanceof LeaseEvent.AtRisk atRisk
                        && atRisk.untilSuspension().isZero())
                || event instanceof LeaseEvent.Suspended
                || event instanceof LeaseEvent.Lost;
    }

    private static String describe(LeaseEvent.OfGrant event) {
        if (event instanceof LeaseEvent.Granted) {
            return "is granted";
        }
        if (event instanceof LeaseEvent.AtRisk atRisk) {
            return describe(atRisk);
        }
        if (event instanceof LeaseEvent.Secured) {
            return "is renewed again";
        }
        if (event instanceof LeaseEvent.Suspended) {
            return "is about to end: no work begins until a renewal succeeds";
        }
        if (event instanceof LeaseEvent.Resumed) {
            return "is renewed in time: work goes on";
        }
        if (event instanceof LeaseEvent.Draining) {
            return "is being given back: waiting for the work in flight";
        }
        if (event instanceof LeaseEvent.Released) {
            return "is released by this node: the store is told";
        }
        if (event instanceof LeaseEvent.Lost lost) {
            return describe(lost.reason());
        }
        throw new IllegalStateException("unknown event " + event);
    }

    private static String describe(LeaseEvent.AtRisk event) {
        return event.untilSuspension().isZero()
                ? "is in doubt, because a clock jumped: no work begins until a renewal succeeds"
                : "could not be renewed: work stops in "
                        + event.untilSuspension().toMillis() + " ms unless a renewal succeeds";
    }

    private static String describe(LossReason reason) {
        return switch (reason) {
            case REFUSED -> "is lost: the store refused the renewal";
            case EXPIRED -> "is lost: no renewal succeeded in time";
        };
    }
}
