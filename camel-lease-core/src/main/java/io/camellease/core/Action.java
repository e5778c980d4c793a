/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

/** What a {@link LeaseMachine} wants done. */
sealed interface Action {

    /** Send the claim; answer with {@link LeaseMachine#claimReplied} or {@link Candidacy#claimFailed}. */
    record SendClaim(Claim claim) implements Action {}

    /**
     * Send the release; it needs no answer.
     *
     * @param isHeld whether others would have to wait for the lease without it, so that it is worth trying again
     */
    record SendRelease(Lease lease, boolean isHeld) implements Action {}

    /** Give back whatever the attempt may have been granted; it needs no answer. */
    record SendAbandon(HolderId holder, AttemptId attempt) implements Action {}

    /** Tell the listener. */
    record Tell(LeaseEvent event) implements Action {}
}
