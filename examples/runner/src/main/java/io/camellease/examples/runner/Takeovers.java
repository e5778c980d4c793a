/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long it took until another node worked, in nanoseconds; of several faults of one kind the longest, and empty if there
 * was no fault of the kind or no successor.
 *
 * @param afterKill from just before SIGKILL to the first begin on the successor
 * @param afterFreeze from just before SIGSTOP to the first begin on the successor
 * @param handover from SIGTERM, or the end of the last exchange on the stopped node if that is later, to the next grant
 * @param missing faults that nobody took over after, in words
 * @param early handovers to a node that was granted the lease while the other one still worked under it, in words
 */
record Takeovers(
        OptionalLong afterKill,
        OptionalLong afterFreeze,
        OptionalLong handover,
        List<String> missing,
        List<String> early) {

    /** Until the lease of a node that is gone has expired by the watch of a candidate, and the candidate has looked, in percent of a ttl. */
    private static final int EXPIRY_PERCENT = 112;

    /** Until a candidate has looked, in percent of a ttl. */
    private static final int LOOK_PERCENT = 10;

    /** For the calls of the store, the start of the consumer, and a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    Takeovers {
        missing = List.copyOf(missing);
        early = List.copyOf(early);
    }

    static Takeovers of(History history) {
        List<String> missing = new ArrayList<>();
        return new Takeovers(
                longest(history, Fault.Kind.KILL, missing),
                longest(history, Fault.Kind.FREEZE, missing),
                longest(history, Fault.Kind.STOP, missing),
                missing,
                early(history));
    }

    /**
     * What is wrong, one sentence each.
     *
     * @param slowestStart how long a node took to start at most, in nanoseconds; on a machine that is so busy a takeover may take
     *     that much longer
     */
    List<String> complaints(Duration ttl, long slowestStart) {
        List<String> complaints = new ArrayList<>(missing);
        complaints.addAll(early);
        long slack = Math.max(SLACK.toNanos(), slowestStart);
        Duration expiry = ttl.multipliedBy(EXPIRY_PERCENT).dividedBy(100).plusNanos(slack);
        Duration look = ttl.multipliedBy(LOOK_PERCENT).dividedBy(100).plusNanos(slack);
        tooLong("takeover after a kill", afterKill, expiry, complaints);
        tooLong("takeover after a freeze", afterFreeze, expiry, complaints);
        tooLong("handover", handover, look, complaints);
        return complaints;
    }

    private static void tooLong(String what, OptionalLong nanos, Duration allowed, List<String> complaints) {
        nanos.stream()
                .filter(taken -> taken > allowed.toNanos())
                .forEach(taken -> complaints.add("the " + what + " took "
                        + Duration.ofNanos(taken).toMillis() + " ms, and " + allowed.toMillis() + " ms are allowed"));
    }

    private static List<String> early(History history) {
        List<String> early = new ArrayList<>();
        for (Fault stop : history.faultsOfNodes(Fault.Kind.STOP)) {
            handover(history, stop).stream()
                    .filter(taken -> taken < 0 && !lostItsLease(history, stop))
                    .forEach(taken -> early.add("another node was granted the lease "
                            + Duration.ofNanos(-taken).toMillis() + " ms before " + stop.process()
                            + " had ended its work, though it had not lost it"));
        }
        return early;
    }

    private static boolean lostItsLease(History history, Fault stop) {
        return history.grants().stream()
                .filter(grant -> grant.process().equals(stop.process()))
                .reduce((earlier, later) -> later)
                .filter(grant -> grant.lostAt().isPresent())
                .isPresent();
    }

    private static OptionalLong longest(History history, Fault.Kind kind, List<String> missing) {
        OptionalLong longest = OptionalLong.empty();
        for (Fault fault : history.faultsOfNodes(kind)) {
            OptionalLong taken = kind == Fault.Kind.STOP ? handover(history, fault) : takeover(history, fault);
            if (taken.isEmpty()) {
                missing.add("nobody took over after the " + fault.process() + " " + kind);
            } else if (longest.isEmpty() || taken.getAsLong() > longest.getAsLong()) {
                longest = taken;
            }
        }
        return longest;
    }

    private static OptionalLong takeover(History history, Fault fault) {
        return history.exchanges().stream()
                .filter(exchange -> exchange.checkedAt() > fault.from())
                .filter(exchange -> !exchange.process().equals(fault.process()))
                .mapToLong(exchange -> exchange.begunAt() - fault.from())
                .min();
    }

    private static OptionalLong handover(History history, Fault fault) {
        long from = history.exchanges().stream()
                .filter(exchange -> exchange.process().equals(fault.process()))
                .mapToLong(exchange -> exchange.endedAt().orElse(exchange.begunAt()))
                .reduce(fault.from(), Math::max);
        return history.grants().stream()
                .filter(grant -> grant.at() > fault.from())
                .filter(grant -> !grant.process().equals(fault.process()))
                .mapToLong(grant -> grant.at() - from)
                .min();
    }
}
