/*
 * Copyright The Camel Lease Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.camellease.examples.runner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The last word on a run. */
final class Result {

    private Result() {}

    /** Of a run with kill, freeze and stop. */
    static Outcome ofFailover(Example example, History history, Duration ttl) {
        Verdict verdict = Verdict.of(history);
        SourceVerdict source = SourceVerdict.of(history);
        Takeovers takeovers = Takeovers.of(history);
        List<String> complaints = new ArrayList<>(verdict.complaints());
        complaints.addAll(complaints(example, source));
        complaints.addAll(takeovers.complaints(ttl, history.slowestStart()));
        String line = begin(example, verdict)
                + " takeover_kill_ms=" + millis(takeovers.afterKill())
                + " takeover_pause_ms=" + millis(takeovers.afterFreeze())
                + " handover_ms=" + millis(takeovers.handover())
                + end(verdict)
                + figures(example, source)
                + appended(history, verdict);
        return new Outcome(line, complaints);
    }

    /** Of a run with an outage of the store, followed by a stop. */
    static Outcome ofOutage(Example example, History history, Duration ttl) {
        Verdict verdict = Verdict.of(history);
        SourceVerdict source = SourceVerdict.of(history);
        Optional<Outage> outage = Outage.of(history, ttl);
        Takeovers takeovers = Takeovers.of(history);
        List<String> complaints = new ArrayList<>(verdict.complaints());
        complaints.addAll(complaints(example, source));
        complaints.addAll(takeovers.complaints(ttl, history.slowestStart()));
        complaints.addAll(outage.map(Outage::complaints).orElse(List.of("there was no outage of the store")));
        String line = begin(example, verdict)
                + outage.map(Result::figures).orElse("")
                + " handover_ms=" + millis(takeovers.handover())
                + end(verdict)
                + figures(example, source)
                + appended(history, verdict);
        return new Outcome(line, complaints);
    }

    private static String figures(Outage outage) {
        return " outage_ms=" + millis(OptionalLong.of(outage.length()))
                + " last_begin_ms=" + millis(outage.lastBegin())
                + " begun_without_lease=" + outage.withoutLease().size()
                + " back_ms=" + millis(outage.back());
    }

    private static List<String> complaints(Example example, SourceVerdict source) {
        List<String> complaints = new ArrayList<>(source.complaints());
        if (example.keepsOrder()) {
            complaints.addAll(source.complaintsOfOrder());
        }
        if (example == Example.FTP_FAILOVER) {
            complaints.addAll(source.complaintsOfLogin());
        }
        return complaints;
    }

    private static String figures(Example example, SourceVerdict source) {
        String left = " left=" + source.left();
        return switch (example) {
            case FILE_FAILOVER -> left;
            case FTP_FAILOVER -> left + " refused_logins=" + source.refusedLogins();
            case JMS_FAILOVER ->
                left + " redelivered=" + source.redelivered() + " out_of_order="
                        + source.outOfOrder().size();
        };
    }

    private static String begin(Example example, Verdict verdict) {
        return "RESULT " + example.items() + "=" + verdict.files()
                + " processed=" + verdict.processed()
                + " lost=" + verdict.lost().size()
                + " begun_twice=" + verdict.begunTwice().size()
                + " overlaps=" + verdict.overlaps().size();
    }

    private static String end(Verdict verdict) {
        return " tokens=" + (verdict.tokensAscending() ? "ascending" : "not-ascending") + " late_effects="
                + verdict.lateEffects();
    }

    private static String appended(History history, Verdict verdict) {
        Mistimed mistimed = verdict.mistimed();
        return " after_end=" + mistimed.afterEnd().size()
                + " released_early=" + mistimed.releasedEarly().size()
                + " begun_late=" + mistimed.begunLate().size()
                + " late_unexplained=" + mistimed.lateUnexplained().size()
                + " slowest_start_ms=" + millis(OptionalLong.of(history.slowestStart()));
    }

    private static String millis(OptionalLong nanos) {
        return nanos.isPresent() ? Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong())) : "none";
    }
}
