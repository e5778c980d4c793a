/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.chaos;

import io.camellease.examples.runner.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a run ends with. */
final class Result {

    private Result() {}

    /**
     * Judges a history.
     *
     * @param worstLookNanos by how much the runner was late at worst
     */
    static Outcome of(History history, Options options, long worstLookNanos) {
        Verdict verdict = Verdict.of(history);
        Waits waits = Waits.of(history, options.ttl());
        List<String> steady = new ArrayList<>(Site.QUICK);
        steady.add(Site.TICKS);
        Takeovers takeovers = Takeovers.of(history, options.ttl(), steady);
        List<String> complaints = new ArrayList<>(verdict.complaints());
        complaints.addAll(waits.stuck());
        complaints.addAll(history.failures());
        if (history.works().isEmpty() || history.harms().isEmpty()) {
            complaints.add("nothing was done, so nothing was shown");
        }
        return new Outcome(
                run(history, options)
                        + safety(verdict)
                        + " stuck=" + waits.stuck().size()
                        + times("takeover", takeovers.afterCrash())
                        + times("cut", takeovers.afterCut())
                        + times("handover", takeovers.handovers())
                        + " longest_wait_ms=" + millis(waits.longest())
                        + " slowest_start_ms=" + millis(waits.slowestStart())
                        + " stalls=" + stalls(history)
                        + " runner_late_ms=" + millis(worstLookNanos)
                        + " begun_late=" + verdict.lateWork().begins().size()
                        + " late_unexplained=" + verdict.lateWork().effects().size(),
                complaints);
    }

    private static String run(History history, Options options) {
        return "RESULT seed=" + options.seed()
                + " minutes=" + minutes(options.length())
                + " ttl_ms=" + options.ttl().toMillis()
                + " nodes=" + options.nodes()
                + " leases=" + history.leases().size()
                + " faults=" + history.harms().size()
                + " files=" + history.fed().size()
                + " exchanges=" + history.works().size()
                + " grants=" + history.grants().size();
    }

    private static String safety(Verdict verdict) {
        return " overlaps=" + verdict.overlaps().size()
                + " lost=" + verdict.lost().size()
                + " begun_twice=" + verdict.begunTwice().size()
                + " unexcused=" + verdict.notExcused().size()
                + " after_end=" + verdict.afterEnd().size()
                + " released_early=" + verdict.releasedEarly().size()
                + " token_faults=" + verdict.tokenFaults().size()
                + " late_effects=" + verdict.lateEffects();
    }

    private static String times(String name, List<Long> times) {
        return " " + name + "s=" + times.size()
                + " " + name + "_p50_ms=" + Takeovers.percentile(times, 50)
                + " " + name + "_p99_ms=" + Takeovers.percentile(times, 99)
                + " " + name + "_max_ms=" + Takeovers.percentile(times, 100);
    }

    /** How often a process did not run though nobody had stopped it. */
    private static long stalls(History history) {
        return history.stalls().stream()
                .filter(stall -> !history.frozen(stall.process()).meets(stall.span()))
                .count();
    }

    private static String minutes(Duration length) {
        return String.format(Locale.ROOT, "%.2f", length.toMillis() / 60_000.0).replaceAll("\\.?0+$", "");
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
