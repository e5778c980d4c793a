/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import io.camellease.core.LeaseName;
import java.io.Serial;
import java.io.Serializable;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.CamelEvent;

/**
 * What happens to a lease of this node, for the event notifiers of its CamelContext. The events of one lease come in order; they
 * are sent on a thread that serves no lease, and without a lock. No secret is in them. Immutable but for the timestamp, which
 * Camel sets.
 */
public final class LeaseCamelEvent implements CamelEvent.CamelContextEvent, Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Why it is sent. */
    public enum Reason {
        /** A new grant, once per token. */
        ACQUIRED,
        /** A renewal has an unknown outcome, or a clock jumped. */
        AT_RISK,
        /** Renewed again after {@link #AT_RISK}, before {@link #SUSPENDED}. */
        SECURED,
        /** U has passed: no work begins for now. */
        SUSPENDED,
        /** Renewed after {@link #SUSPENDED}: work goes on, under the same token. */
        RESUMED,
        /** The grant is over; the detail says why. */
        LOST,
        /** The grant was given back after its work had ended. */
        RELEASED,
        /** A route of the lease could not be started; the detail says why. */
        START_FAILED,
        /** This node lets another one have the lease; the detail says why. */
        GIVEN_AWAY
    }

    private final transient CamelContext context;
    private final Reason reason;
    private final String leaseName;
    private final String holder;
    private final long token;
    private final String detail;
    private long timestamp;

    LeaseCamelEvent(CamelContext context, Reason reason, LeaseName name, String holder, long token, String detail) {
        this.context = context;
        this.reason = reason;
        this.leaseName = name.value();
        this.holder = holder;
        this.token = token;
        this.detail = detail;
    }

    /** Why it is sent. */
    public Reason getReason() {
        return reason;
    }

    /** The name of the lease. */
    public String getLeaseName() {
        return leaseName;
    }

    /** This node as a holder; empty if it holds no grant. */
    public String getHolder() {
        return holder;
    }

    /** The fencing token of the grant; 0 if there is none. */
    public long getToken() {
        return token;
    }

    /** What there is to say besides; empty if nothing. */
    public String getDetail() {
        return detail;
    }

    @Override
    public CamelContext getContext() {
        return context;
    }

    @Override
    public Type getType() {
        return Type.Custom;
    }

    @Override
    public long getTimestamp() {
        return timestamp;
    }

    @Override
    public void setTimestamp(long timestamp) {
        this.timestamp = timestamp;
    }

    @Override
    public String toString() {
        return "Lease '" + leaseName + "' of " + holder + " token " + token + ": " + reason
                + (detail.isEmpty() ? "" : ", " + detail);
    }
}
