/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** What the routes of all nodes did, in one list. Thread-safe. */
final class Journal {

    /** One exchange that began: where, on what, under which token, by which reading of the monotonic clock. */
    record Entry(String node, String what, String file, long token, long checkedAt) {}

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** Notes begin, works for a while, notes end. */
    Processor work(String node, Runnable work) {
        return exchange -> {
            note(node, "begin", exchange);
            work.run();
            note(node, "end", exchange);
        };
    }

    Processor note(String node) {
        return work(node, () -> {});
    }

    private void note(String node, String what, Exchange exchange) {
        entries.add(new Entry(
                node,
                what,
                String.valueOf(exchange.getIn().getHeader(Exchange.FILE_NAME)),
                exchange.getProperty(LeaseConstants.LEASE_TOKEN, 0L, Long.class),
                exchange.getProperty(LeaseConstants.LEASE_CHECKED_AT, 0L, Long.class)));
    }

    List<Entry> all() {
        return List.copyOf(entries);
    }

    List<Entry> of(String node, String what) {
        return entries.stream()
                .filter(entry -> entry.node().equals(node) && entry.what().equals(what))
                .toList();
    }

    List<String> files(String what) {
        return entries.stream()
                .filter(entry -> entry.what().equals(what))
                .map(Entry::file)
                .toList();
    }
}
