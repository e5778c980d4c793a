/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/**
 * One reading of both clocks of a process. Only differences between readings of one process mean anything.
 *
 * @param nanos the monotonic clock in nanoseconds, origin unknown; on Linux it stands still while the host is suspended
 * @param wallMillis the wall clock in milliseconds since 1970; it counts a suspended host, and can be stepped either way
 */
public record Moment(long nanos, long wallMillis) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Nanoseconds from the earlier reading to this one by the monotonic clock. */
    public long nanosSince(Moment earlier) {
        return nanos - earlier.nanos;
    }

    /** Nanoseconds from the earlier reading to this one by the wall clock; negative if it was stepped back. */
    public long wallNanosSince(Moment earlier) {
        return (wallMillis - earlier.wallMillis) * NANOS_PER_MILLI;
    }

    /** This reading moved on by the given nanoseconds on both clocks. */
    public Moment plusNanos(long duration) {
        return new Moment(nanos + duration, wallMillis + duration / NANOS_PER_MILLI);
    }
}
