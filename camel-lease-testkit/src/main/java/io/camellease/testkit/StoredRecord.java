/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.testkit;

import io.camellease.core.AttemptId;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One record as {@link InMemoryLeaseStore} keeps it. Immutable.
 *
 * @param token of the latest grant, 0 if there never was one
 * @param seq number of the latest renewal of that grant, 0 before the first
 * @param nonce of the latest renewal, empty before the first
 * @param holder of the latest grant
 * @param attempt of the latest grant
 * @param released whether the latest grant was given back
 * @param expiresAtMillis when the latest grant ends by the store's clock, in milliseconds since 1970
 * @param ttl of the latest grant, zero if there never was one
 * @param value the holder's note
 * @param acquiredAtMillis when the latest grant was made by the store's clock, in milliseconds since 1970
 * @param slots the record's state, sorted by key, so that equal records have equal texts
 */
record StoredRecord(
        long token,
        long seq,
        String nonce,
        Optional<HolderId> holder,
        Optional<AttemptId> attempt,
        boolean released,
        long expiresAtMillis,
        Duration ttl,
        String value,
        long acquiredAtMillis,
        Map<String, Slot> slots) {

    /** What a missing record stands for. */
    static final StoredRecord NONE =
            new StoredRecord(0, 0, "", Optional.empty(), Optional.empty(), false, 0, Duration.ZERO, "", 0, Map.of());

    /**
     * One slot of the state.
     *
     * @param atMillis in milliseconds since 1970
     * @param token of the grant that stored it
     */
    record Slot(long atMillis, long token) {}

    StoredRecord {
        slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    boolean isExpired(Instant now) {
        return expiresAtMillis <= now.toEpochMilli();
    }

    boolean isHeld(Instant now) {
        return token > 0 && !released && !isExpired(now);
    }

    /** Time until the grant expires, zero if it has expired or was released. */
    Duration remaining(Instant now) {
        return isHeld(now) ? Duration.ofMillis(expiresAtMillis - now.toEpochMilli()) : Duration.ZERO;
    }

    StoredRecord renewed(long newSeq, String newNonce, long newExpiryMillis) {
        return new StoredRecord(
                token,
                newSeq,
                newNonce,
                holder,
                attempt,
                released,
                newExpiryMillis,
                ttl,
                value,
                acquiredAtMillis,
                slots);
    }

    StoredRecord withReleased() {
        return new StoredRecord(
                token, seq, nonce, holder, attempt, true, expiresAtMillis, ttl, value, acquiredAtMillis, slots);
    }

    StoredRecord withValue(String newValue) {
        return new StoredRecord(
                token, seq, nonce, holder, attempt, released, expiresAtMillis, ttl, newValue, acquiredAtMillis, slots);
    }

    StoredRecord withSlot(String key, Slot slot) {
        Map<String, Slot> newSlots = new TreeMap<>(slots);
        newSlots.put(key, slot);
        return new StoredRecord(
                token, seq, nonce, holder, attempt, released, expiresAtMillis, ttl, value, acquiredAtMillis, newSlots);
    }

    /** What an observer sees of it. */
    LeaseRecord seen(LeaseName name, Instant now) {
        if (token == 0) {
            return LeaseRecord.absent(name);
        }
        return new LeaseRecord(
                name,
                token,
                seq,
                holder,
                attempt,
                released,
                remaining(now),
                ttl,
                value,
                Optional.of(Instant.ofEpochMilli(acquiredAtMillis)));
    }

    /** The slots without the tokens that stored them. */
    Map<String, Instant> slotInstants() {
        return slots.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        slot -> Instant.ofEpochMilli(slot.getValue().atMillis())));
    }
}
