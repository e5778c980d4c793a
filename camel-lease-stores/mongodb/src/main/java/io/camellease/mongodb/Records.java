/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.mongodb;

import io.camellease.core.Found;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import io.camellease.core.LeaseStoreException.Problem;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The records of many names, readable or not. Confined to one thread.
 */
final class Records {

    private final Map<LeaseName, LeaseDocument> readable = new HashMap<>();
    private final Map<LeaseName, String> unreadable = new HashMap<>();
    private Optional<Instant> storeNow = Optional.empty();

    private Records() {}

    /** Reads them from the server. */
    static Records read(Call call, Collection<LeaseName> names) {
        Map<String, LeaseName> nameOf = new HashMap<>();
        names.forEach(name -> nameOf.put(name.value(), name));
        Records records = new Records();
        for (BsonDocument row : call.rows(names)) {
            records.storeNow = Optional.of(LeaseDocument.storeNow(row));
            LeaseName name = nameOf.get(LeaseDocument.id(row));
            if (name != null) {
                records.add(call, row, name);
            }
        }
        return records;
    }

    private void add(Call call, BsonDocument row, LeaseName name) {
        try {
            readable.put(name, call.read(row, name));
        } catch (LeaseStoreException thrown) {
            if (thrown.problem() != Problem.UNREADABLE) {
                throw thrown;
            }
            unreadable.put(name, String.valueOf(thrown.getMessage()));
        }
    }

    /** The record of a name; empty if there is none or it cannot be read. */
    Optional<LeaseDocument> of(LeaseName name) {
        return Optional.ofNullable(readable.get(name));
    }

    /** As observers see them. */
    Found found(Collection<LeaseName> names) {
        Map<LeaseName, LeaseRecord> records = new HashMap<>();
        for (LeaseName name : names) {
            if (!unreadable.containsKey(name)) {
                records.put(name, of(name).map(LeaseDocument::record).orElseGet(() -> LeaseRecord.absent(name)));
            }
        }
        return new Found(storeNow, records, unreadable);
    }
}
