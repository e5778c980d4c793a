/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Duration;

/**
 * What an elector has asked of its store so far, for people.
 *
 * @param granted claims that were granted: the terms held
 * @param heldByOther claims that were refused because another holder was faster
 * @param spent claims that were refused because their attempt was over
 * @param claimsFailed claims of unknown outcome
 * @param renewed renewals that succeeded
 * @param refused renewals that were refused: the grant was over
 * @param stale renewals that a newer one had overtaken
 * @param renewalsFailed renewals of unknown outcome
 * @param renewing the time that answered renewals took, all together
 */
public record LeaseCounts(
        long granted,
        long heldByOther,
        long spent,
        long claimsFailed,
        long renewed,
        long refused,
        long stale,
        long renewalsFailed,
        Duration renewing) {}
