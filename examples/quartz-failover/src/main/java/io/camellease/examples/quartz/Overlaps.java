/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.quartz;

import io.camellease.examples.quartz.History.Begin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Looks for runs of one job that should not have been, since another node had begun under a larger token. */
final class Overlaps {

    /** What may lie between the check of a plain job and its first line, not counting the time in which its process was frozen. */
    private static final long SLACK_MILLIS = 1_000;

    private Overlaps() {}

    /** Those of that job, in the order of the log. */
    static List<Begin> of(History history, ScheduledJob job) {
        List<Begin> begins = history.begins().stream()
                .filter(begin -> begin.job().equals(job.title()))
                .toList();
        NavigableMap<Long, Long> firstChecked = firstChecked(begins);
        List<Begin> overlaps = new ArrayList<>();
        long largest = Long.MIN_VALUE;
        for (Begin begin : begins) {
            boolean isLate = begin.checkedAt().isPresent()
                    ? begin.checkedAt().getAsLong() > firstUnderLarger(firstChecked, begin)
                    : begin.token() < largest && !wasCutOff(history, begin);
            if (isLate) {
                overlaps.add(begin);
            }
            largest = Math.max(largest, begin.token());
        }
        return overlaps;
    }

    /** Per token, when the lease was checked for its first run. */
    private static NavigableMap<Long, Long> firstChecked(List<Begin> begins) {
        NavigableMap<Long, Long> first = new TreeMap<>();
        begins.forEach(
                begin -> begin.checkedAt().ifPresent(checkedAt -> first.merge(begin.token(), checkedAt, Math::min)));
        return first;
    }

    private static long firstUnderLarger(NavigableMap<Long, Long> firstChecked, Begin begin) {
        Map<Long, Long> larger = firstChecked.tailMap(begin.token(), false);
        return larger.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
    }

    /**
     * A plain job is not told when the lease was checked for it: its process may have been killed or frozen since. That it lost
     * the lease is no excuse.
     */
    private static boolean wasCutOff(History history, Begin begin) {
        return history.cuts().stream()
                .filter(cut ->
                        cut.process().equals(begin.process()) && cut.job().isEmpty())
                .anyMatch(cut -> cut.at() <= begin.at() && cut.until() >= begin.at() - SLACK_MILLIS);
    }
}
