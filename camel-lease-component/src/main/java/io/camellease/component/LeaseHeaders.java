/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.policy.LeaseConstants;
import org.apache.camel.spi.Metadata;

/** Names of the headers of {@code lease:} endpoints. */
public final class LeaseHeaders {

    @Metadata(
            description = "The whole name of the lease, `application/name`. Also an exchange property.",
            javaType = "String")
    public static final String NAME = LeaseConstants.LEASE_NAME;

    @Metadata(
            description =
                    "The fencing token: larger than that of every earlier grant of the lease. After acquire it is that of"
                            + " the lock, which renew, release and check use. Also an exchange property.",
            javaType = "Long")
    public static final String TOKEN = LeaseConstants.LEASE_TOKEN;

    @Metadata(
            label = "consumer",
            description = "What happened: acquired, lost, released or holderChanged.",
            javaType = "String")
    public static final String EVENT = "CamelLeaseEvent";

    @Metadata(
            label = "consumer",
            description = "Why: granted, refused (the store refused a renewal), expired (no renewal succeeded in time),"
                    + " stopped, givenAway or observed.",
            javaType = "String")
    public static final String REASON = "CamelLeaseReason";

    @Metadata(
            description =
                    "Who holds the lease as far as this process knows: node label and a part that is random per start."
                            + " Absent if nobody does.",
            javaType = "String")
    public static final String HOLDER = "CamelLeaseHolder";

    @Metadata(
            label = "consumer",
            description = "Who held the lease before, as far as this process knows. Absent if that is unknown.",
            javaType = "String")
    public static final String PREVIOUS_HOLDER = "CamelLeasePreviousHolder";

    @Metadata(
            label = "consumer",
            description =
                    "How many events right before this one were dropped, because the route was too slow. Absent if none.",
            javaType = "Integer")
    public static final String MISSED_EVENTS = "CamelLeaseMissedEvents";

    @Metadata(label = "producer", description = "After acquire: whether the lock was acquired.", javaType = "Boolean")
    public static final String ACQUIRED = "CamelLeaseAcquired";

    @Metadata(
            label = "producer",
            description =
                    "After release: whether the store took the lock back. False if it could not be told: then the lock is"
                            + " given back later, or expires.",
            javaType = "Boolean")
    public static final String RELEASED = "CamelLeaseReleased";

    @Metadata(
            label = "producer",
            description = "After acquire and renew: for how long the lock can be relied on, in milliseconds. After get:"
                    + " the time to its expiry by the store's clock.",
            javaType = "Long")
    public static final String REMAINING = "CamelLeaseRemaining";

    @Metadata(label = "producer", description = "After get: whether somebody holds the lease.", javaType = "Boolean")
    public static final String HELD = "CamelLeaseHeld";

    @Metadata(
            label = "producer",
            description = "After get: the token of the latest grant, whosever it is.",
            javaType = "Long")
    public static final String HOLDER_TOKEN = "CamelLeaseHolderToken";

    @Metadata(label = "producer", description = "After get: the holder's note for people.", javaType = "String")
    public static final String VALUE = "CamelLeaseValue";

    private LeaseHeaders() {}
}
