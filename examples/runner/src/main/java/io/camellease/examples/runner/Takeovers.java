/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

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
 */
record Takeovers(OptionalLong afterKill, OptionalLong afterFreeze, OptionalLong handover, List<String> missing) {

    Takeovers {
        missing = List.copyOf(missing);
    }

    static Takeovers of(History history) {
        List<String> missing = new ArrayList<>();
        return new Takeovers(
                longest(history, Fault.Kind.KILL, missing),
                longest(history, Fault.Kind.FREEZE, missing),
                longest(history, Fault.Kind.STOP, missing),
                missing);
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
