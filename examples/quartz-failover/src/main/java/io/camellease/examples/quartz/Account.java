/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.quartz.History.Begin;
import io.camellease.examples.quartz.History.Cut;
import io.camellease.examples.quartz.History.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The slots of one job: those that fell due between the first one that was run and the end, and what became of each.
 *
 * @param job whose
 * @param due in order
 * @param bySlot the runs for each slot, those that were not due too
 * @param history where they come from
 */
record Account(ScheduledJob job, List<Long> due, NavigableMap<Long, List<Begin>> bySlot, History history) {

    static Account of(ScheduledJob job, History history) {
        NavigableMap<Long, List<Begin>> bySlot = new TreeMap<>();
        history.begins().stream()
                .filter(begin -> begin.job().equals(job.title()))
                .forEach(begin -> bySlot.computeIfAbsent(begin.slot(), slot -> new ArrayList<>())
                        .add(begin));
        return new Account(job, due(job, bySlot, history.until()), bySlot, history);
    }

    private static List<Long> due(ScheduledJob job, NavigableMap<Long, List<Begin>> bySlot, long until) {
        if (bySlot.isEmpty()) {
            return List.of();
        }
        long period = job.periodMillis();
        long first = Math.floorDiv(bySlot.firstKey() + period - 1, period);
        long last = Math.floorDiv(Math.min(until, bySlot.lastKey()), period);
        if (until != Long.MAX_VALUE) {
            last = Math.floorDiv(until, period);
        }
        return LongStream.rangeClosed(first, last)
                .map(number -> number * period)
                .boxed()
                .toList();
    }

    /** The slots that were due and run at least once. */
    List<Long> begun() {
        return due.stream().filter(bySlot::containsKey).toList();
    }

    /** The slots that were due and not run. */
    List<Long> missed() {
        return due.stream().filter(slot -> !bySlot.containsKey(slot)).toList();
    }

    /** The slots that were run more than once without a mark. */
    List<Long> doubled() {
        return bySlot.entrySet().stream()
                .filter(entry -> entry.getValue().stream()
                                .filter(begin -> !begin.isRepeat())
                                .count()
                        > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The runs that are marked as repeats. */
    List<Begin> repeats() {
        return runs().filter(Begin::isRepeat).toList();
    }

    /** Runs for a time that is none of the job's, or that had not come. */
    List<Begin> outside() {
        return runs().filter(begin -> begin.slot() % job.periodMillis() != 0 || begin.at() < begin.slot())
                .toList();
    }

    /** All runs, slot by slot. */
    Stream<Begin> runs() {
        return bySlot.values().stream().flatMap(List::stream);
    }

    /**
     * The missed slots that were reserved when a process was cut off: for each moment at most the one that follows what
     * the holder had begun.
     */
    Set<Long> reservedAtCuts() {
        Set<Long> reserved = new HashSet<>();
        for (Cut cut : history.cuts()) {
            if (cut.concerns(job.title()) && isHolder(cut.process(), cut.at())) {
                reservedAt(cut).ifPresent(reserved::add);
            }
        }
        return reserved;
    }

    private boolean isHolder(String process, long at) {
        Optional<Grant> last = history.grants().stream()
                .filter(grant -> grant.job().equals(job.title()) && grant.at() <= at)
                .max(Comparator.comparing(Grant::token));
        return last.filter(grant -> grant.process().equals(process)).isPresent();
    }

    private OptionalLong reservedAt(Cut cut) {
        long begun = runs().filter(begin -> begin.at() <= cut.at())
                .mapToLong(Begin::slot)
                .max()
                .orElse(Long.MIN_VALUE);
        return due.stream()
                .mapToLong(slot -> slot)
                .filter(slot -> slot > begun && slot <= cut.at())
                .filter(slot -> !bySlot.containsKey(slot))
                .findFirst();
    }

    /** The missed slots between runs of different grants, or around a moment at which a process was cut off. */
    List<Long> missedBetweenGrants() {
        return missed().stream().filter(this::isBetweenGrants).toList();
    }

    private boolean isBetweenGrants(long slot) {
        Map.Entry<Long, List<Begin>> before = bySlot.floorEntry(slot);
        Map.Entry<Long, List<Begin>> after = bySlot.ceilingEntry(slot);
        if (before == null || after == null) {
            return false;
        }
        Begin last = before.getValue().get(0);
        Begin next = after.getValue().get(0);
        // a slot that was run as a repeat only had been reserved under the grant before
        return last.isRepeat()
                || last.token() != next.token()
                || history.cuts().stream()
                        .anyMatch(cut -> cut.concerns(job.title())
                                && cut.process().equals(next.process())
                                && cut.at() >= last.at()
                                && cut.at() <= next.at());
    }
}
