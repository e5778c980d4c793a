/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.quartz;

import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseSettings;
import io.camellease.core.Ticker;

/**
 * A lease, and by which durations and clocks it goes.
 *
 * @param elector the one of the lease
 * @param settings those of its client
 * @param ticker that of its client
 */
public record LeaseUse(LeaseElector elector, LeaseSettings settings, Ticker ticker) {}
