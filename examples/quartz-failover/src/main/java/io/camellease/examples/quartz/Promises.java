/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.quartz.History.Begin;
import io.camellease.examples.quartz.History.Cut;
import io.camellease.examples.quartz.History.Grant;
import io.camellease.quartz.MissedFires;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** What a value of {@code missedFires} promises about the slots that fell due while there was no holder, and was not kept. */
final class Promises {

    /** Between the instant of a grant and the line that tells of it, and between a slot and the line of its run. */
    private static final long SLACK_MILLIS = 1_000;

    /** How long after a grant its jobs may still be started, so that its holder may be cut off and not have caught up. */
    private static final long CATCH_UP_MILLIS = 3_000;

    /** A fire that is later than that was missed. */
    private static final long LATE_MILLIS = 5_000;

    private Promises() {}

    /** The complaints. */
    static List<String> broken(Account account, MissedFires missedFires) {
        return switch (missedFires) {
            case ALL -> List.of();
            case ONCE -> notCaughtUp(account).toList();
            case SKIP -> caughtUp(account).toList();
        };
    }

    /**
     * The latest slot before a grant was begun before it, or is run under it; or a later one, that fell due before its jobs could
     * run. So this is sharp for jobs that are due seldom only.
     */
    private static Stream<String> notCaughtUp(Account account) {
        String job = account.job().title();
        Set<Long> begun = new HashSet<>(account.reservedAtCuts());
        begun.addAll(account.bySlot().keySet());
        return account.history().grants().stream()
                .filter(grant -> grant.job().equals(job) && !isCutOffSoon(account, grant))
                .flatMap(grant -> latestBefore(account, grant).stream()
                        .filter(slot -> begun.stream()
                                .noneMatch(other -> other >= slot && other <= grant.at() + CATCH_UP_MILLIS))
                        .mapToObj(slot -> job + ": " + Texts.time(slot) + " was the latest before the grant to "
                                + grant.process() + ", which did not run it"));
    }

    private static OptionalLong latestBefore(Account account, Grant grant) {
        return account.due().stream()
                .mapToLong(slot -> slot)
                .filter(slot -> slot <= grant.at() - SLACK_MILLIS)
                .max();
    }

    /** A process that is cut off, or loses the lease, before it has caught up leaves that to the next one. */
    private static boolean isCutOffSoon(Account account, Grant grant) {
        History history = account.history();
        return Stream.concat(history.cuts().stream(), history.stops().stream())
                .anyMatch(cut -> cut.concerns(grant.job())
                        && cut.process().equals(grant.process())
                        && cut.until() >= grant.at() - SLACK_MILLIS
                        && cut.at() <= grant.at() + CATCH_UP_MILLIS);
    }

    private static Stream<String> caughtUp(Account account) {
        return account.runs()
                .filter(run -> !run.isRepeat() && run.at() - run.slot() > LATE_MILLIS + SLACK_MILLIS)
                .filter(run -> account.history().cuts().stream().noneMatch(cut -> isFrozenBefore(cut, run)))
                .map(run -> Texts.about(run) + ", which was too late by then");
    }

    /** It may have been let in before its process was frozen. */
    private static boolean isFrozenBefore(Cut cut, Begin run) {
        return cut.process().equals(run.process())
                && cut.concerns(run.job())
                && cut.at() <= run.at()
                && cut.until() >= run.slot();
    }

    /** The longest time in which no run of a job began, between its first and its last one. */
    static Duration longestPause(Account account) {
        List<Long> begins =
                account.runs().map(Begin::at).sorted(Comparator.naturalOrder()).toList();
        long longest = 0;
        for (int i = 1; i < begins.size(); i++) {
            longest = Math.max(longest, begins.get(i) - begins.get(i - 1));
        }
        return Duration.ofMillis(longest);
    }
}
