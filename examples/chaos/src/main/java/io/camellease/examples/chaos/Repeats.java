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
 * @param notExcused the begins for which there is no excuse. There is one if the begin before it was in flight when its process
 *     was killed or frozen, or lost the lease, and either had not been done when the item was begun again, or was done when the
 *     next holder had its grant already, and so may have listed the file
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
                if (!isExcused(history, before, work)) {
                    notExcused.add(work);
                }
            }
        }
        return new Repeats(items, notExcused);
    }

    private static boolean isExcused(History history, Work before, Work again) {
        long doneAt = before.doneAt().orElse(Span.OPEN);
        boolean mayHaveBeenListed = doneAt >= again.checkedAt()
                || history.grantOf(again)
                        .filter(grant ->
                                grant.token() > before.token() && grant.span().from() <= doneAt)
                        .isPresent();
        Span inFlight = new Span(
                before.checkedAt(), Math.min(again.checkedAt(), before.overAt().orElse(Span.OPEN)));
        return mayHaveBeenListed
                && (wasKilled(history, before, inFlight)
                        || history.frozen(before.process()).meets(inFlight)
                        || lostItsLease(history, before, inFlight));
    }

    private static boolean wasKilled(History history, Work work, Span inFlight) {
        return history.life(work.process())
                .filter(life -> life.killed() && inFlight.meets(new Span(life.askedAt(), life.endedAt())))
                .isPresent();
    }

    private static boolean lostItsLease(History history, Work work, Span inFlight) {
        return history.grantOf(work)
                .filter(grant -> grant.ending() == Held.Ending.LOST
                        && inFlight.meets(
                                new Span(grant.span().until(), grant.span().until())))
                .isPresent();
    }
}
