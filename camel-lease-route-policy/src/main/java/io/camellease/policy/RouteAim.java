/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseState;

/** Says what is to become of one route, by its lease, its operator, its hours and its context. Changes nothing. Thread-safe. */
final class RouteAim {

    /** What is to be done with a route. */
    enum Target {
        RUN,
        HOLD,
        STOP,
        /** It is to run, but not at this time of the day. */
        WAIT,
        AS_IT_IS
    }

    private final LeasedRoutes lease;
    private final LeaseElector elector;
    private final RouteSwitch routeSwitch;
    private final ConsumerFence fence;
    private final WorkInFlight work;
    private final RouteWish wish;
    private final Extensions extensions;
    private final boolean controlsConsumer;
    private volatile boolean removed;

    RouteAim(
            LeasedRoutes lease,
            RouteSwitch routeSwitch,
            ConsumerFence fence,
            WorkInFlight work,
            RouteWish wish,
            Extensions extensions,
            boolean controlsConsumer) {
        this.lease = lease;
        this.elector = lease.elector();
        this.routeSwitch = routeSwitch;
        this.fence = fence;
        this.work = work;
        this.wish = wish;
        this.extensions = extensions;
        this.controlsConsumer = controlsConsumer;
    }

    /** The context has forgotten the route: it is left as it is. */
    void removed() {
        removed = true;
    }

    Target target() {
        if (removed) {
            return Target.AS_IT_IS;
        }
        if (!lease.contextRuns()) {
            return letsGoAtOnce() ? Target.HOLD : Target.AS_IT_IS;
        }
        return switch (elector.state()) {
            case HELD, AT_RISK -> underTheLease();
            case SUSPENDED, DRAINING -> Target.HOLD;
            case WAITING, STOPPED -> Target.STOP;
        };
    }

    /**
     * Whether a consumer is stopped here while the context stops. Camel stops it as well, but looks for the end of its work once a
     * second, and the next holder waits for that.
     */
    private boolean letsGoAtOnce() {
        return controlsConsumer && elector.state() == LeaseState.DRAINING && fence.stops() && !work.completesAll();
    }

    private Target underTheLease() {
        if (!wish.isWanted()) {
            return Target.STOP;
        }
        if (wish.isSuspended() || lease.contextIsSuspended()) {
            return Target.AS_IT_IS;
        }
        return !controlsConsumer || extensions.isTime() ? Target.RUN : outOfItsTime();
    }

    /** What runs nevertheless was started by somebody who may, but it is not started again under another grant. */
    private Target outOfItsTime() {
        if (routeSwitch.isToBeCleared()) {
            return Target.STOP;
        }
        return routeSwitch.isUp() ? Target.RUN : Target.WAIT;
    }
}
