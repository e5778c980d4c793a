/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Changes one record per lease name atomically and says so, or throws. Blocking; thread-safe.
 *
 * <p>Rules. Each has at least one test in {@code LeaseStoreContract} of the test kit.
 *
 * <dl>
 *   <dt>S1
 *   <dd>A claim on a missing, released or expired record grants it with a larger token.
 *   <dt>S2
 *   <dd>A claim on a record that another holds and that has not expired changes nothing and answers {@link
 *       ClaimResult.HeldByOther} with the remaining time.
 *   <dt>S3
 *   <dd>A claim names the token and renewal number it saw and is granted only if they are unchanged, so that no late copy is
 *       granted after a later grant. The same attempt sent again answers the same grant; after its release or expiry it
 *       answers {@link ClaimResult.Spent}. A later attempt of the same holder is granted with a larger token.
 *   <dt>S4
 *   <dd>A renewal succeeds only if holder, token and attempt match and the record has not expired: expiry becomes the store's
 *       now + ttl, the token stays. An older renewal that arrives after a newer one changes nothing and answers {@link
 *       RenewResult#STALE}; an equal seq with the same nonce answers {@link RenewResult#RENEWED} and changes nothing; an equal
 *       seq with a foreign nonce is {@link RenewResult#LOST}.
 *   <dt>S5
 *   <dd>A release succeeds only if holder and token match; it keeps the token; twice is the same as once; it never frees a
 *       successor.
 *   <dt>S6
 *   <dd>Tokens of a name only grow: over release, expiry, restart and fail-over of the store. A new token is the larger of
 *       the old one + 1 and the store's clock in milliseconds since 1970, so that even a lost or restored record does not
 *       take them back. The record is never deleted.
 *   <dt>S7
 *   <dd>Expiry is judged by the store's clock alone. No instant of a client is stored or compared.
 *   <dt>S8
 *   <dd>Every operation is atomic, and as durable as the store's page says.
 *   <dt>S9
 *   <dd>Every operation answers or throws within the timeout the store was opened with.
 *   <dt>S10
 *   <dd>Names do not affect each other, and every legal name comes back as it went in.
 *   <dt>S11
 *   <dd>A record that cannot be read is never granted, renewed or overwritten, and is reported with its place.
 *   <dt>S12
 *   <dd>An operation on many names gives the same answers as one on each.
 * </dl>
 *
 * <p>Every method throws {@link LeaseStoreException} if the store could not say; for {@code find} and {@code renew} that
 * holds for all names of the call.
 */
public interface LeaseStore extends AutoCloseable {

    /** The largest value that {@link #claim} and {@link #setValue} accept, in bytes of UTF-8. */
    int MAX_VALUE_BYTES = 1024;

    /** The longest key of {@link #advance}, in characters. */
    int MAX_KEY_LENGTH = 200;

    /** How far ahead of the store's clock a slot of {@link #advance} may be. */
    Duration MAX_SLOT_AHEAD = Duration.ofSeconds(5);

    /**
     * Takes the lease if it is free (S1-S3, S6).
     *
     * @throws LeaseStoreException if the outcome is unknown; send the same claim again, or {@link #abandon} it
     */
    ClaimResult claim(Claim claim);

    /**
     * Renews many grants in as few round trips as the store can (S4, S12).
     *
     * @return one result for each renewal, in the order of the argument
     * @throws LeaseStoreException if the outcome of all of them is unknown
     */
    List<RenewResult> renew(List<Renewal> renewals);

    /**
     * Gives a grant back (S5).
     *
     * @return true if the record is now, or was already, released by this grant; false if it belongs to another grant
     */
    boolean release(Lease lease);

    /**
     * Gives back whatever an acquisition with an unknown outcome may have been granted; does nothing if it was granted
     * nothing. The attempt can still be granted afterwards by a copy of the claim that is late, unless the record moved on.
     */
    void abandon(LeaseName name, HolderId holder, AttemptId attempt);

    /** Reads the records of many names in one round trip (S10, S12). Changes nothing. */
    Found find(Collection<LeaseName> names);

    /**
     * Replaces the holder's note for people, only while holder and token match and the grant has neither expired nor been
     * released.
     *
     * @param value at most {@link #MAX_VALUE_BYTES} bytes of UTF-8
     * @return whether it was replaced
     * @throws IllegalArgumentException if the value is too long
     */
    boolean setValue(Lease lease, String value);

    /**
     * Moves a slot of the record's state forward; the state survives claim, expiry and release. The slot is stored if the
     * lease is held by the caller (holder, token, not expired, not released) and the slot is later than the stored one, or
     * equal to it and stored under the same token. A slot that is later than the store's now + {@link #MAX_SLOT_AHEAD} is
     * refused, so that a node whose clock is ahead cannot keep others from the slots in between.
     *
     * @param key which slot, 1 to {@link #MAX_KEY_LENGTH} characters under the rule of {@link LeaseName}
     * @param slot compared in milliseconds
     */
    AdvanceResult advance(Lease lease, String key, Instant slot);

    /** Where the records are, for logs and errors: kind, database, collection or table. Without secrets; does no I/O. */
    String description();

    /** In which way it does what the rules ask, if it has several and has found out; else empty. For people; does no I/O. */
    default Optional<String> dialect() {
        return Optional.empty();
    }

    /** Frees what the store itself opened; never what was handed to it. Does not release any lease. */
    @Override
    void close();

    /**
     * Checks a note for people.
     *
     * @throws IllegalArgumentException if the value is longer than {@link #MAX_VALUE_BYTES} bytes of UTF-8
     */
    static void requireValue(String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a lease value has at most " + MAX_VALUE_BYTES + " bytes of UTF-8, this one has " + bytes);
        }
    }
}
