/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Work that was done later than what its gate says it read, though nothing that is known of its process explains it. Without
 * this look a gate that gives an old reading would be believed whatever happens.
 *
 * @param begins exchanges that began long after they had been let in
 * @param effects exchanges that wrote something after the first exchange under a larger token
 */
record LateWork(List<Work> begins, List<Work> effects) {

    /** What may lie between a reading and the line about it, in either order: no stall that is this long goes unnoticed. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** A process that took long to start is as slow at the first of its exchanges. */
    private static final int PARTS_OF_START = 2;

    LateWork {
        begins = List.copyOf(begins);
        effects = List.copyOf(effects);
    }

    /** @param lateEffects all exchanges that wrote something after the first one under a larger token */
    static LateWork of(History history, List<Work> lateEffects) {
        return new LateWork(
                history.works().stream()
                        .filter(work -> delayNanos(history, work) > allowedNanos(history, work))
                        .toList(),
                lateEffects.stream().filter(work -> !isExplained(history, work)).toList());
    }

    /** What is wrong, one sentence each. */
    List<String> complaints(History history) {
        List<String> complaints = new ArrayList<>();
        begins.forEach(work -> complaints.add("begun late: " + Verdict.text(work) + ", was begun "
                + Duration.ofNanos(delayNanos(history, work)).toMillis() + " ms later, though its process ran"));
        effects.forEach(work -> complaints.add("late effect: " + Verdict.text(work)
                + " wrote after the first exchange under a larger token, though its process stood still at no time and had"
                + " not lost the lease"));
        return complaints;
    }

    private static long delayNanos(History history, Work work) {
        Span delay = new Span(work.checkedAt(), work.begunAt());
        return delay.nanos() - history.stoodStill(work.process()).nanosWithin(delay);
    }

    private static long allowedNanos(History history, Work work) {
        return history.life(work.process())
                .filter(life -> life.startedAt() != Span.OPEN)
                .map(life -> Math.max(SLACK.toNanos(), life.start().nanos() / PARTS_OF_START))
                .orElse(SLACK.toNanos());
    }

    private static boolean isExplained(History history, Work work) {
        return history.stoodStill(work.process()).meets(new Span(work.checkedAt(), work.lastSign()))
                || lostItsLease(history, work)
                || wasKilled(history, work);
    }

    /** A process that was late tells of the loss after the end of the work. */
    private static boolean lostItsLease(History history, Work work) {
        return history.grantOf(work)
                .filter(grant -> grant.ending() == Held.Ending.LOST)
                .map(grant -> grant.span().until())
                .filter(lostAt ->
                        work.begunAt() <= lostAt + SLACK.toNanos() && lostAt <= work.lastSign() + SLACK.toNanos())
                .isPresent();
    }

    /** It cannot tell of the loss any more. */
    private static boolean wasKilled(History history, Work work) {
        return history.life(work.process())
                .filter(life -> life.killed() && life.askedAt() <= work.lastSign() + SLACK.toNanos())
                .isPresent();
    }
}
