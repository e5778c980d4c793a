/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was asked of the source of the work: to keep the order, to be left empty, and to let the next node in.
 *
 * @param outOfOrder exchanges that began after one of a later item
 * @param redelivered how many exchanges the source marked as delivered before
 * @param left how much was still there to work on when all nodes had stopped
 * @param refusedLogins how often a successor was refused the login though the node before it was killed or asked to stop; one
 *     that is frozen cannot log out, so what is refused then does not count
 */
record SourceVerdict(List<Exchange> outOfOrder, int redelivered, long left, int refusedLogins) {

    SourceVerdict {
        outOfOrder = List.copyOf(outOfOrder);
    }

    static SourceVerdict of(History history) {
        return new SourceVerdict(
                outOfOrder(history),
                (int) history.exchanges().stream().filter(Exchange::redelivered).count(),
                history.left(),
                (int) history.refusals().stream()
                        .filter(at -> isInTakeover(history, at))
                        .count());
    }

    /** What is wrong with any example, one sentence each. */
    List<String> complaints() {
        return left == 0 ? List.of() : List.of(left + " were worked on and are still there to work on");
    }

    /** What is wrong if the order is to be kept. */
    List<String> complaintsOfOrder() {
        return outOfOrder.stream()
                .map(late -> late.process() + " began " + late.item() + " after a later one")
                .toList();
    }

    /** Names sort like the numbers of what was handed in. The same one again is what a kill or freeze leads to. */
    private static List<Exchange> outOfOrder(History history) {
        List<Exchange> late = new ArrayList<>();
        String last = "";
        for (Exchange exchange : history.exchanges()) {
            if (exchange.item().compareTo(last) < 0) {
                late.add(exchange);
            } else {
                last = exchange.item();
            }
        }
        return late;
    }

    /** From a kill or stop to the first begin of the successor, nobody but the successor wants to log in. */
    private static boolean isInTakeover(History history, long at) {
        return Stream.of(Fault.Kind.KILL, Fault.Kind.STOP)
                .flatMap(kind -> history.faultsOfNodes(kind).stream())
                .filter(fault -> fault.from() <= at)
                .anyMatch(fault -> history.exchanges().stream()
                        .filter(exchange -> exchange.begunAt() < at)
                        .filter(exchange -> exchange.checkedAt() > fault.from())
                        .allMatch(exchange -> exchange.process().equals(fault.process())));
    }
}
