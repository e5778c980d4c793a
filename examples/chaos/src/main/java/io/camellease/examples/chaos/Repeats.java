/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Items that were begun more than once.
 *
 * @param items all of them
 * @param notExcused the begins for which there is no excuse. There is one if the begin before it had not been done when its
 *     process was killed or frozen, or lost the lease, and that was before this begin
 */
record Repeats(Set<String> items, List<Work> notExcused) {

    Repeats {
        items = Set.copyOf(items);
        notExcused = List.copyOf(notExcused);
    }

    static Repeats of(History history) {
        Map<String, Work> last = new HashMap<>();
        Set<String> items = new TreeSet<>();
        List<Work> notExcused = new ArrayList<>();
        for (Work work : history.works()) {
            Work before = last.put(work.item(), work);
            if (before != null) {
                items.add(work.item());
                if (!isExcused(history, before, work.checkedAt())) {
                    notExcused.add(work);
                }
            }
        }
        return new Repeats(items, notExcused);
    }

    private static boolean isExcused(History history, Work before, long again) {
        Span inFlight =
                new Span(before.checkedAt(), Math.min(again, before.doneAt().orElse(Span.OPEN)));
        if (before.doneAt().orElse(Span.OPEN) < again) {
            return false;
        }
        boolean killed = history.life(before.process())
                .filter(life -> life.killed() && inFlight.meets(new Span(life.askedAt(), life.endedAt())))
                .isPresent();
        return killed
                || history.frozen(before.process()).meets(inFlight)
                || history.grantOf(before)
                        .filter(grant -> grant.ending() == Held.Ending.LOST
                                && grant.span().until() >= inFlight.from()
                                && grant.span().until() <= inFlight.until())
                        .isPresent();
    }
}
