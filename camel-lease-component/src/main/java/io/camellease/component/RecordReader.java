/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.component;

import io.camellease.core.Found;
import io.camellease.core.HolderId;
import io.camellease.core.LeaseElector;
import io.camellease.core.LeaseLocks;
import io.camellease.core.LeaseName;
import io.camellease.core.LeaseRecord;
import io.camellease.core.LeaseStoreException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** Reads what the store says of leases, and writes it into exchanges. Thread-safe. */
final class RecordReader {

    private final LeaseLocks locks;

    RecordReader(LeaseLocks locks) {
        this.locks = locks;
    }

    /** One record; fails with {@link LeaseStoreException} if the store does not say, or cannot read it. */
    CompletableFuture<LeaseRecord> find(LeaseName name) {
        return locks.find(List.of(name)).thenApply(found -> {
            LeaseRecord record = found.records().get(name);
            if (record == null) {
                throw new LeaseStoreException(LeaseStoreException.Problem.UNREADABLE, unreadable(name, found), null);
            }
            return record;
        });
    }

    /** What {@code operation=get} makes of an exchange. */
    CompletableFuture<Consumer<Exchange>> get(LeaseName name) {
        return find(name).thenApply(record -> changed -> {
            Message message = changed.getMessage();
            message.setHeader(LeaseHeaders.HELD, record.isHeld());
            message.setHeader(LeaseHeaders.HOLDER_TOKEN, record.token());
            message.setHeader(LeaseHeaders.REMAINING, record.remaining().toMillis());
            message.setHeader(LeaseHeaders.VALUE, record.value());
            record.holder()
                    .filter(holder -> record.isHeld())
                    .ifPresent(holder -> message.setHeader(LeaseHeaders.HOLDER, holder.value()));
            message.setBody(describe(record));
        });
    }

    /** What {@code operation=list} makes of an exchange: those leases, and the locks that this process holds. */
    CompletableFuture<Consumer<Exchange>> list(Collection<LeaseElector> electors) {
        List<LeaseName> names = Stream.concat(
                        electors.stream().map(LeaseElector::name),
                        locks.held().stream().map(lock -> lock.lease().name()))
                .distinct()
                .sorted()
                .toList();
        return locks.find(names)
                .thenApply(found -> changed -> changed.getMessage()
                        .setBody(names.stream()
                                .map(name -> describe(name, found))
                                .toList()));
    }

    /** A record that cannot be read is listed all the same: somebody has to mend it. */
    private static Map<String, Object> describe(LeaseName name, Found found) {
        LeaseRecord record = found.records().get(name);
        return record == null ? Map.of("name", name.value(), "unreadable", unreadable(name, found)) : describe(record);
    }

    private static String unreadable(LeaseName name, Found found) {
        return found.unreadable().getOrDefault(name, "the store did not return lease '" + name + "'");
    }

    private static Map<String, Object> describe(LeaseRecord record) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", record.name().value());
        map.put("held", record.isHeld());
        map.put("holder", record.holder().map(HolderId::value).orElse(""));
        map.put("token", record.token());
        map.put("remaining", record.remaining().toMillis());
        map.put("ttl", record.ttl().toMillis());
        map.put("value", record.value());
        record.acquiredAt().ifPresent(at -> map.put("acquiredAt", at.toString()));
        return map;
    }
}
