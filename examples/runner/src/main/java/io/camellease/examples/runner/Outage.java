/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an outage of the store did. All times are in nanoseconds.
 *
 * @param length from just before the store's SIGSTOP to just after its SIGCONT
 * @param lastBegin from the SIGSTOP to the last begin before the SIGCONT; empty if there was none
 * @param withoutLease exchanges that began when the lease must have ended
 * @param back from the SIGCONT to the first begin afterwards; empty if there was none
 */
record Outage(long length, OptionalLong lastBegin, List<Exchange> withoutLease, OptionalLong back) {

    Outage {
        withoutLease = List.copyOf(withoutLease);
    }

    /**
     * Judges the history; empty if the store was not both frozen and thawed. No renewal that the store answered was sent after
     * its SIGSTOP had taken effect, so ttl later every lease has ended; and until just before SIGCONT nobody can have been
     * granted another.
     */
    static Optional<Outage> of(History history, Duration ttl) {
        Optional<Fault> stopped = history.faultOfStore(Fault.Kind.FREEZE);
        Optional<Fault> continued = history.faultOfStore(Fault.Kind.THAW);
        return stopped.flatMap(stop -> continued.map(go -> between(history, stop, go, ttl)));
    }

    /** What is wrong, one sentence each. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        withoutLease.forEach(exchange -> complaints.add(exchange.process() + " began " + exchange.item()
                + " after the end of its lease, token " + exchange.token()));
        if (back.isEmpty()) {
            complaints.add("nobody worked again after the outage");
        }
        return complaints;
    }

    private static Outage between(History history, Fault stopped, Fault continued, Duration ttl) {
        long from = stopped.from();
        long to = continued.from();
        return new Outage(
                continued.until() - from,
                history.exchanges().stream()
                        .filter(exchange -> exchange.checkedAt() > from && exchange.checkedAt() < to)
                        .mapToLong(exchange -> exchange.checkedAt() - from)
                        .max(),
                withoutLease(history, stopped.until() + ttl.toNanos(), stopped.until(), to),
                history.exchanges().stream()
                        .filter(exchange -> exchange.checkedAt() >= to)
                        .mapToLong(exchange -> exchange.begunAt() - to)
                        .min());
    }

    private static List<Exchange> withoutLease(History history, long leaseEnd, long stopped, long continued) {
        long oldToken = history.grants().stream()
                .filter(grant -> grant.at() <= stopped)
                .mapToLong(Grant::token)
                .max()
                .orElse(0);
        return history.exchanges().stream()
                .filter(exchange -> exchange.checkedAt() > leaseEnd)
                .filter(exchange -> exchange.checkedAt() < continued || exchange.token() <= oldToken)
                .toList();
    }
}
