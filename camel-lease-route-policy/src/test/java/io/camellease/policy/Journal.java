/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** What the routes of all nodes did, in one list. Thread-safe. */
final class Journal {

    /** Whether an exchange begins or ends. */
    enum What {
        BEGIN,
        END
    }

    /**
     * The begin or end of one exchange.
     *
     * @param node where
     * @param file on what
     * @param token under which grant
     * @param checkedAt the reading of the monotonic clock by which it was let in
     * @param at the reading of the monotonic clock when it was noted
     */
    record Entry(String node, String route, What what, String file, long token, long checkedAt, long at) {}

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** Notes the begin, works, and notes the end unless the work threw. */
    Processor work(String node, Runnable work) {
        return exchange -> {
            note(node, What.BEGIN, exchange);
            work.run();
            note(node, What.END, exchange);
        };
    }

    /** Notes begin and end at once. */
    Processor note(String node) {
        return work(node, () -> {});
    }

    void note(String node, What what, Exchange exchange) {
        String file = exchange.getIn().getHeader(Exchange.FILE_NAME, String.class);
        entries.add(new Entry(
                node,
                exchange.getFromRouteId(),
                what,
                file != null ? file : exchange.getIn().getBody(String.class),
                exchange.getProperty(LeaseConstants.LEASE_TOKEN, 0L, Long.class),
                exchange.getProperty(LeaseConstants.LEASE_CHECKED_AT, 0L, Long.class),
                System.nanoTime()));
    }

    List<Entry> begun() {
        return entries.stream().filter(entry -> entry.what() == What.BEGIN).toList();
    }

    List<Entry> ended() {
        return entries.stream().filter(entry -> entry.what() == What.END).toList();
    }

    List<Entry> begun(String node) {
        return begun().stream().filter(entry -> entry.node().equals(node)).toList();
    }

    List<Entry> ended(String node) {
        return ended().stream().filter(entry -> entry.node().equals(node)).toList();
    }

    List<Entry> begun(String node, String route) {
        return begun(node).stream().filter(entry -> entry.route().equals(route)).toList();
    }

    List<Entry> ended(String node, String route) {
        return ended(node).stream().filter(entry -> entry.route().equals(route)).toList();
    }

    static List<String> files(List<Entry> entries) {
        return entries.stream().map(Entry::file).toList();
    }

    static List<Long> tokens(List<Entry> entries) {
        return entries.stream().map(Entry::token).distinct().toList();
    }

    /** Both worked, and everything that one node began, it began before the other began anything, under smaller tokens. */
    void assertOneAfterTheOther(String first, String then) {
        assertThat(begun(first)).isNotEmpty();
        assertThat(begun(then)).isNotEmpty();
        Entry last = begun(first).stream()
                .max(Comparator.comparingLong(Entry::checkedAt))
                .orElseThrow();
        assertThat(begun(then)).allSatisfy(entry -> {
            assertThat(entry.checkedAt()).isGreaterThan(last.checkedAt());
            assertThat(entry.at()).isGreaterThan(last.at());
            assertThat(entry.token()).isGreaterThan(last.token());
        });
    }

    /** Nothing of a route was let in under a token after something was let in under a larger one; no two nodes had one token. */
    void assertNoOverlap() {
        Map<String, Entry> newest = new HashMap<>();
        begun().stream().sorted(Comparator.comparingLong(Entry::checkedAt)).forEach(entry -> {
            Entry before = newest.put(entry.route(), entry);
            if (before != null) {
                assertThat(entry.token())
                        .as("token of %s after %s", entry, before)
                        .isGreaterThanOrEqualTo(before.token());
                assertThat(entry.token() > before.token() || entry.node().equals(before.node()))
                        .as("one token on one node: %s after %s", entry, before)
                        .isTrue();
            }
        });
    }

    /** That many files were worked on, each of them once, and none was left half done. */
    void assertEachOnce(int files) {
        assertThat(files(begun())).doesNotHaveDuplicates().hasSize(files);
        assertThat(files(ended())).hasSameElementsAs(files(begun())).hasSize(files);
    }
}
