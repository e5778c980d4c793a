/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.LeaseEvent;

/** Which event may follow which, for one elector. Not thread-safe. */
final class EventOrder {

    private enum Stage {
        NO_GRANT,
        HELD,
        AT_RISK,
        SUSPENDED,
        DRAINING,
        ILLEGAL
    }

    private Stage stage = Stage.NO_GRANT;
    private long token;

    /** Returns whether the event is legal after those before it. */
    boolean accepts(LeaseEvent event) {
        if (event instanceof LeaseEvent.OfGrant ofGrant) {
            long ofToken = ofGrant.lease().token().value();
            if (event instanceof LeaseEvent.Granted) {
                boolean grows = ofToken > token;
                token = ofToken;
                stage = stage == Stage.NO_GRANT && grows ? Stage.HELD : Stage.ILLEGAL;
            } else {
                stage = ofToken == token ? next(ofGrant) : Stage.ILLEGAL;
            }
        }
        return stage != Stage.ILLEGAL;
    }

    private Stage next(LeaseEvent.OfGrant event) {
        if (event instanceof LeaseEvent.AtRisk) {
            return stage == Stage.HELD ? Stage.AT_RISK : Stage.ILLEGAL;
        }
        if (event instanceof LeaseEvent.Secured) {
            return stage == Stage.AT_RISK ? Stage.HELD : Stage.ILLEGAL;
        }
        if (event instanceof LeaseEvent.Suspended) {
            return stage == Stage.HELD || stage == Stage.AT_RISK ? Stage.SUSPENDED : Stage.ILLEGAL;
        }
        if (event instanceof LeaseEvent.Resumed) {
            return stage == Stage.SUSPENDED ? Stage.HELD : Stage.ILLEGAL;
        }
        if (event instanceof LeaseEvent.Draining) {
            return stage == Stage.NO_GRANT || stage == Stage.DRAINING ? Stage.ILLEGAL : Stage.DRAINING;
        }
        if (event instanceof LeaseEvent.Released) {
            return stage == Stage.DRAINING ? Stage.NO_GRANT : Stage.ILLEGAL;
        }
        return stage == Stage.NO_GRANT ? Stage.ILLEGAL : Stage.NO_GRANT;
    }
}
