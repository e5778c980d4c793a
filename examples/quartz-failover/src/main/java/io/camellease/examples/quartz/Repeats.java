/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.quartz.History.Begin;
import io.camellease.examples.quartz.History.Cut;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for runs that are marked as repeats though no run that they could be the repeat of was cut off. */
final class Repeats {

    /** Until the store has noted that a run has ended, and until a process that was cut off has written its last line. */
    private static final long SLACK_MILLIS = 2_000;

    private Repeats() {}

    /** Those of one job. */
    static List<Begin> unfounded(Account account) {
        List<Begin> unfounded = new ArrayList<>();
        for (List<Begin> runs : account.bySlot().values()) {
            for (int i = 0; i < runs.size(); i++) {
                if (runs.get(i).isRepeat() && !isFounded(account, runs.get(i), before(runs.subList(0, i)))) {
                    unfounded.add(runs.get(i));
                }
            }
        }
        return unfounded;
    }

    private static Optional<Begin> before(List<Begin> earlier) {
        return earlier.stream().max(Comparator.comparing(Begin::token));
    }

    private static boolean isFounded(Account account, Begin repeat, Optional<Begin> before) {
        List<Cut> cuts = cuts(account)
                .filter(cut -> cut.concerns(repeat.job()) && cut.at() <= repeat.at())
                .toList();
        // a slot that nobody began had been reserved by a process that was cut off before it could begin
        return before.map(run -> cuts.stream().anyMatch(cut -> cutsOff(account, cut, run)))
                .orElseGet(() -> cuts.stream().anyMatch(cut -> cut.until() >= repeat.slot()));
    }

    private static Stream<Cut> cuts(Account account) {
        History history = account.history();
        return Stream.concat(history.cuts().stream(), history.stops().stream());
    }

    /** The store notes up to which slot all have ended: a run that has not holds those after it back. */
    private static boolean cutsOff(Account account, Cut cut, Begin run) {
        return cut.process().equals(run.process())
                && cut.until() >= run.at()
                && account.bySlot().headMap(run.slot(), true).values().stream()
                        .flatMap(List::stream)
                        .filter(other ->
                                other.token() == run.token() && other.process().equals(run.process()))
                        .anyMatch(other -> isInFlight(other, cut));
    }

    private static boolean isInFlight(Begin run, Cut cut) {
        return run.at() - SLACK_MILLIS <= cut.until()
                && run.endedAt().orElse(Long.MAX_VALUE - SLACK_MILLIS) + SLACK_MILLIS >= cut.at();
    }
}
