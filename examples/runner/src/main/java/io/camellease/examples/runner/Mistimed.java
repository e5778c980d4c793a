/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Work at a time at which there should have been none, by what the node itself was told of its grant, and by when the lines
 * were written. Without this look a node that says that it checked early would be believed whatever happens.
 *
 * @param afterEnd exchanges whose lease was checked after their node had been told of the end of the grant, or had given it back
 * @param releasedEarly exchanges that had not ended when their node gave the lease back
 * @param begunLate exchanges that began long after the check though their process ran
 * @param lateUnexplained exchanges that wrote something after the first one under a larger token though their process ran and
 *     had not lost the lease
 */
record Mistimed(
        List<Exchange> afterEnd,
        List<Exchange> releasedEarly,
        List<Exchange> begunLate,
        List<Exchange> lateUnexplained) {

    /** What may lie between something and the line about it on a machine that is busy. */
    private static final long SLACK_NANOS = Duration.ofSeconds(1).toNanos();

    /** A process that took long to start is as slow at the first of its exchanges. */
    private static final int PARTS_OF_START = 2;

    Mistimed {
        afterEnd = List.copyOf(afterEnd);
        releasedEarly = List.copyOf(releasedEarly);
        begunLate = List.copyOf(begunLate);
        lateUnexplained = List.copyOf(lateUnexplained);
    }

    /** @param lateEffects the exchanges that wrote something after the first one under a larger token */
    static Mistimed of(History history, List<Exchange> lateEffects) {
        return new Mistimed(
                those(history, exchange -> isAfterEnd(history, exchange)),
                those(history, exchange -> wasReleasedEarly(history, exchange)),
                those(history, exchange -> delayNanos(history, exchange) > allowedNanos(history, exchange)),
                lateEffects.stream()
                        .filter(exchange -> !isExplained(history, exchange))
                        .toList());
    }

    private static List<Exchange> those(History history, Predicate<Exchange> wanted) {
        return history.exchanges().stream().filter(wanted).toList();
    }

    /** What is wrong, one sentence each. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        afterEnd.forEach(exchange -> complaints.add(exchange.process() + " began " + exchange.item()
                + " after it had been told that its grant is over, token " + exchange.token()));
        releasedEarly.forEach(exchange -> complaints.add(exchange.process()
                + " gave the lease back before it had ended " + exchange.item() + ", token " + exchange.token()));
        begunLate.forEach(exchange -> complaints.add(exchange.process() + " began " + exchange.item() + " "
                + Duration.ofNanos(exchange.begunAt() - exchange.checkedAt()).toMillis()
                + " ms after the lease had been checked for it, though it ran, token " + exchange.token()));
        lateUnexplained.forEach(exchange -> complaints.add(exchange.process() + " ended " + exchange.item()
                + " under token " + exchange.token() + " after the first exchange under a larger one, though it ran"
                + " and had not lost the lease"));
        return complaints;
    }

    private static boolean isAfterEnd(History history, Exchange exchange) {
        return history.grantOf(exchange)
                .filter(grant -> exchange.checkedAt() > grant.overAt())
                .isPresent();
    }

    private static boolean wasReleasedEarly(History history, Exchange exchange) {
        return history.grantOf(exchange).filter(grant -> grant.lostAt().isEmpty()).stream()
                .flatMapToLong(grant -> grant.releasedAt().stream())
                .filter(at -> exchange.checkedAt() < at)
                .anyMatch(at -> exchange.endedAt().orElse(Long.MAX_VALUE) > at);
    }

    private static long delayNanos(History history, Exchange exchange) {
        return exchange.begunAt()
                - exchange.checkedAt()
                - history.frozenNanos(exchange.process(), exchange.checkedAt(), exchange.begunAt());
    }

    private static long allowedNanos(History history, Exchange exchange) {
        return Math.max(SLACK_NANOS, history.starts().getOrDefault(exchange.process(), 0L) / PARTS_OF_START);
    }

    private static boolean isExplained(History history, Exchange exchange) {
        return history.frozenNanos(exchange.process(), exchange.checkedAt(), exchange.lastSign()) > 0
                || lostItsLease(history, exchange)
                || wasKilled(history, exchange);
    }

    /** A process that was late tells of the loss after the end of the work. */
    private static boolean lostItsLease(History history, Exchange exchange) {
        return history.grantOf(exchange).stream()
                .flatMapToLong(grant -> grant.lostAt().stream())
                .anyMatch(lostAt ->
                        exchange.begunAt() <= lostAt + SLACK_NANOS && lostAt <= exchange.lastSign() + SLACK_NANOS);
    }

    /** It cannot tell of the loss any more. */
    private static boolean wasKilled(History history, Exchange exchange) {
        return history.faultsOfNodes(Fault.Kind.KILL).stream()
                .filter(kill -> kill.process().equals(exchange.process()))
                .anyMatch(kill -> kill.from() <= exchange.lastSign() + SLACK_NANOS);
    }
}
