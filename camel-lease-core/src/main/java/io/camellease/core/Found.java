/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.core;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@link LeaseStore#find} saw.
 *
 * @param storeNow the store's clock when it answered; empty if none of the names has a record
 * @param records one entry for each name that was asked for and could be read, {@link LeaseRecord#absent} where there is none
 * @param unreadable one entry for each record that could not be read (rule S11): why, where it is, and what to do
 */
public record Found(
        Optional<Instant> storeNow, Map<LeaseName, LeaseRecord> records, Map<LeaseName, String> unreadable) {

    public Found {
        Objects.requireNonNull(storeNow);
        records = Map.copyOf(records);
        unreadable = Map.copyOf(unreadable);
    }
}
