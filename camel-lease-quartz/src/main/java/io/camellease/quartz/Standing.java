/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

/** What a scheduler makes of a trigger. */
enum Standing {
    /** It fires at its times, or has fired for the last time. */
    FIRING,
    /** It fires when somebody has done something about it: it is paused, or its job cannot be made. */
    HELD_BACK,
    /** It fires no more though times of its are to come: it was removed, or its job had it unscheduled. */
    OVER,
    /** The job store does not say. */
    UNKNOWN
}
