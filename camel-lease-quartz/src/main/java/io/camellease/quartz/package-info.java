/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Quartz jobs that run once per scheduled time in a cluster, by a lease; without a job store that the nodes share, and without
 * Camel.
 *
 * <p>A <em>slot</em> is a time at which a trigger is to fire. Reading order: {@link io.camellease.quartz.LeaseSchedulerPlugin}
 * (what quartz.properties names), {@link io.camellease.quartz.SingletonJobs} (the leases of one scheduler), {@link
 * io.camellease.quartz.FireGuard} (which fires may run under one lease), {@code Backlog} (has those slots run that nobody ran),
 * {@code SlotRegister} (what is stored about slots), {@code SingletonTrigger} (one trigger), {@code
 * SlotLedger} (the slots that one trigger owes), {@code CatchUp} (which of those that nobody ran are still run), {@code
 * Schedule} (when a trigger is to fire).
 */
@NullMarked
package io.camellease.quartz;

import org.jspecify.annotations.NullMarked;
