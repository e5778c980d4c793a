/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

/** Names of the headers and exchange properties that every exchange of a leased route carries, and of properties of such routes. */
public final class LeaseConstants {

    /** Header and exchange property: the name of the lease, a {@code String}. */
    public static final String LEASE_NAME = "CamelLeaseName";

    /** Header and exchange property: the fencing token under which the exchange began, a {@code Long}. */
    public static final String LEASE_TOKEN = "CamelLeaseToken";

    /**
     * Exchange property: the reading of the monotonic clock that was compared with the end of the lease when the exchange
     * began, in nanoseconds, a {@code Long}.
     */
    public static final String LEASE_CHECKED_AT = "CamelLeaseCheckedAt";

    /**
     * Header and exchange property of a scheduled route: the time of the schedule that the exchange is for, a {@code
     * java.util.Date}.
     */
    public static final String SCHEDULED_TIME = "CamelLeaseScheduledTime";

    /**
     * Header and exchange property of a scheduled route: {@code true} if the exchange for this time may have begun before, and
     * did not end under the lease; absent otherwise.
     */
    public static final String RECOVERING = "CamelLeaseRecovering";

    /** Property of a route: see {@link LeaseRoutePolicy#setPreferredNode}, which it comes before. */
    public static final String PREFERRED_NODE = "lease.preferredNode";

    private LeaseConstants() {}
}
